/** What stands around every screen: rail or bottom tabs, the bar that says the server is lost, toasts. */
import { Tooltip } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useLine } from "@/api/line";
import { Icon } from "@/ui/icons";
import { Toasts } from "@/ui/toasts";
import { useKeys } from "@/ui/useKeys";
import { useWide } from "@/ui/useWide";
import { isIn, PLACES } from "./places";
import classes from "./Shell.module.css";

const Anywhere = lazy(() => import("./Anywhere"));

export function Shell({ story, children }: { story: boolean; children: ReactNode }) {
  const wide = useWide();
  const { t } = useTranslation();
  const lost = useLine() === "lost";
  const [going, setGoing] = useState(false);
  useKeys((event) => {
    const asked = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    return asked && event.key.toLowerCase() === "k" ? () => setGoing(!going) : null;
  });
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {t("common.skip")}
      </a>
      {wide && <Rail />}
      <div className={classes.column}>
        {lost && (
          <div className={classes.lost} role="status">
            {t("common.lost")}
          </div>
        )}
        <main id="main" className={classes.main} tabIndex={-1}>
          {children}
        </main>
        {!wide && !story && <BottomTabs />}
      </div>
      <Toasts />
      {going && (
        <Suspense>
          <Anywhere onClose={() => setGoing(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Rail() {
  const { t } = useTranslation();
  const [path] = useLocation();
  return (
    <nav className={classes.rail} aria-label={t("common.main")}>
      {PLACES.map((place) => (
        <Tooltip key={place.id} label={t(`common.${place.id}`)} position="right">
          <Link
            className={classes.place}
            href={place.href}
            aria-label={t(`common.${place.id}`)}
            aria-current={isIn(place, path) ? "page" : undefined}
          >
            <Icon name={place.icon} size={22} />
          </Link>
        </Tooltip>
      ))}
    </nav>
  );
}

function BottomTabs() {
  const { t } = useTranslation();
  const [path] = useLocation();
  return (
    <nav className={classes.tabs} aria-label={t("common.main")}>
      {PLACES.filter((place) => place.tab).map((place) => (
        <Link
          key={place.id}
          className={classes.tab}
          href={place.href}
          aria-current={isIn(place, path) ? "page" : undefined}
        >
          <Icon name={place.icon} size={22} />
          <span>{t(`common.${place.id}`)}</span>
        </Link>
      ))}
    </nav>
  );
}
