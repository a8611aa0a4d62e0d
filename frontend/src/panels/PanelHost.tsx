/** Where a side panel is shown: beside the story on a wide window, over its lower half on a narrow one.
 * Which is open stands in the address (`?panel=world`). */
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Boundary } from "@/app/Boundary";
import { useParam } from "@/app/param";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { Pending } from "@/ui/Pending";
import { useWide } from "@/ui/useWide";
import classes from "./PanelHost.module.css";
import { Resizer } from "./Resizer";
import { PANELS, type PanelProps } from "./registry";

export function PanelHost(props: PanelProps) {
  const wide = useWide();
  const { t } = useTranslation();
  const [open, setOpen] = useParam("panel");
  const [full, setFull] = useState(false);
  const panel = PANELS.find((one) => one.id === open);
  useEscape(panel !== undefined, () => setOpen(null));
  const tabs = useFocusWhenOpened(panel !== undefined);
  if (panel === undefined) return null;
  const { component: Content } = panel;
  return (
    <section
      className={wide ? classes.side : classes.sheet}
      data-full={full || undefined}
      aria-label={t(`panels.${panel.id}`)}
    >
      {/* The headings of a panel are below its own, whatever of the story has come already. */}
      <h2 className="only-spoken">{t(`panels.${panel.id}`)}</h2>
      {wide && <Resizer />}
      <header className={classes.header}>
        <nav ref={tabs} className={classes.tabs} aria-label={t("panels.title")}>
          {PANELS.map((one) => (
            <button
              key={one.id}
              type="button"
              className={classes.tab}
              aria-pressed={one.id === panel.id}
              onClick={() => setOpen(one.id)}
            >
              <Icon name={one.icon} size={18} />
              <span>{t(`panels.${one.id}`)}</span>
            </button>
          ))}
        </nav>
        {!wide && (
          <IconButton
            icon={full ? "down" : "up"}
            label={full ? t("common.smaller") : t("common.larger")}
            onClick={() => setFull(!full)}
            size={44}
          />
        )}
        <IconButton
          icon="close"
          label={t("common.close")}
          onClick={() => setOpen(null)}
          size={wide ? 36 : 44}
        />
      </header>
      <div className={classes.content}>
        <Boundary key={panel.id}>
          <Suspense fallback={<Pending />}>
            <Content {...props} />
          </Suspense>
        </Boundary>
      </div>
    </section>
  );
}

/** What is opened takes the focus, at its tab; what the address opened takes it from nobody. */
function useFocusWhenOpened(opened: boolean) {
  const tabs = useRef<HTMLElement>(null);
  const before = useRef(opened);
  useEffect(() => {
    if (opened && !before.current) {
      tabs.current
        ?.querySelector<HTMLElement>("[aria-pressed=true]")
        ?.focus({ preventScroll: true });
    }
    before.current = opened;
  }, [opened]);
  return tabs;
}
