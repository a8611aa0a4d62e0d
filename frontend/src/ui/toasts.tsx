/** Toasts: what was just done, with the way back, for ten seconds. They carry only undo; an error lives
 * where it happened (ErrorNote). */
import { Button } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./IconButton";
import { makeStore } from "./store";
import classes from "./toasts.module.css";

export interface Toast {
  text: string;
  /** The word on the button and what it does. */
  action?: { label: string; run: () => void };
}

interface Shown extends Toast {
  id: number;
}

const LIFE_MS = 10_000;
const store = makeStore<readonly Shown[]>([]);
let made = 0;

/** Show a toast; the one before it goes. */
export function toast(one: Toast): void {
  made += 1;
  store.set([{ ...one, id: made }]);
}

export function dismissToasts(): void {
  store.set([]);
}

export function Toasts() {
  const shown = store.use();
  const { t } = useTranslation();
  return (
    <section className={classes.host} aria-label={t("common.notices")} aria-live="polite">
      {shown.map((one) => (
        <One key={one.id} toast={one} />
      ))}
    </section>
  );
}

function One({ toast: one }: { toast: Shown }) {
  const { t } = useTranslation();
  useEffect(() => {
    const timer = setTimeout(dismissToasts, LIFE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classes.toast}>
      <span className={classes.text}>{one.text}</span>
      {one.action !== undefined && (
        <Button
          onClick={() => {
            dismissToasts();
            one.action?.run();
          }}
        >
          {one.action.label}
        </Button>
      )}
      <IconButton icon="close" label={t("common.close")} onClick={dismissToasts} />
    </div>
  );
}
