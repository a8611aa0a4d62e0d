/** One call in full. On a wide window its parts are tabs, on a narrow one they stand one under another. */
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { amount, money, purposeWord, share } from "@/ui/amounts";
import { useWide } from "@/ui/useWide";
import type { Call } from "./call";
import classes from "./Inspector.module.css";
import { NotSent } from "./NotSent";
import { Pieces } from "./Pieces";
import { Previous } from "./Previous";
import { Raw } from "./Raw";
import { ZonesBar } from "./ZonesBar";

interface CallDetailProps {
  call: Call;
  /** All calls of the turn: one of them may be the one before. */
  calls: readonly Call[];
  parent: string | null;
}

const VIEWS = ["content", "previous", "notSent", "raw"] as const;
type View = (typeof VIEWS)[number];

export function CallDetail(props: CallDetailProps) {
  const { t } = useTranslation();
  const wide = useWide();
  const [view, setView] = useState<View>("content");
  const { call } = props;
  const name = (one: View) => t(`inspector.${one}`, { n: amount(call.leftOut.length) });
  return (
    <section className={classes.detail} aria-label={purposeWord(call.item.purpose)}>
      <Facts call={call} />
      <ZonesBar call={call} />
      {wide && (
        <>
          <div className={classes.views}>
            {VIEWS.map((one) => (
              <button
                key={one}
                type="button"
                className={classes.view}
                aria-pressed={one === view}
                onClick={() => setView(one)}
              >
                {name(one)}
              </button>
            ))}
          </div>
          <div>{shown(view, props)}</div>
        </>
      )}
      {!wide && VIEWS.map((one) => <Stacked key={one} name={name(one)} view={one} {...props} />)}
    </section>
  );
}

function Stacked({ name, view, ...props }: CallDetailProps & { name: string; view: View }) {
  const [open, setOpen] = useState(view === "content");
  return (
    <details
      className={classes.stacked}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{name}</summary>
      {open && shown(view, props)}
    </details>
  );
}

function shown(view: View, { call, calls, parent }: CallDetailProps): ReactNode {
  switch (view) {
    case "content":
      return <Pieces call={call} />;
    case "previous":
      return <Previous call={call} calls={calls} parent={parent} />;
    case "notSent":
      return <NotSent call={call} />;
    case "raw":
      return <Raw call={call} />;
  }
}

function Facts({ call }: { call: Call }) {
  const { t } = useTranslation();
  const { item, sent, cached } = call;
  const first = item.first_token_ms;
  const written = item.usage.completion;
  const facts = [
    item.model,
    first === null ? "" : t("inspector.first", { s: (first / 1000).toFixed(1) }),
    money(item.cost),
    cached === null || sent === 0 ? "" : t("inspector.cached", { share: share(cached, sent) }),
    typeof item.usage.prompt === "number"
      ? t("inspector.sentTokens", { n: amount(sent) })
      : t("inspector.counted", { n: amount(sent) }),
    typeof written === "number" ? t("inspector.written", { n: amount(written) }) : "",
  ];
  return (
    <>
      <p className={classes.line}>{facts.filter(Boolean).join(" · ")}</p>
      {item.error !== "" && (
        <p className={classes.state} role="alert">
          {item.error}
        </p>
      )}
    </>
  );
}
