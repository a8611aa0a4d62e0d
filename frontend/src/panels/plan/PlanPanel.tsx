/** The plan behind its guard: nothing of it is even asked for until the reader has opened it in this
 * story. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import type { PanelProps } from "../registry";
import { Opened } from "./Opened";

export default function PlanPanel(props: PanelProps) {
  return <Guarded key={props.project} {...props} />;
}

function Guarded(props: PanelProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(() => wasOpened(props.project));
  if (open) return <Opened {...props} onHide={() => setOpen(remember(props.project, false))} />;
  return (
    <Empty text={t("plan.guard")}>
      <Button onClick={() => setOpen(remember(props.project, true))}>{t("plan.open")}</Button>
    </Empty>
  );
}

const placeOf = (project: string) => `huaben.plan.opened.${project}`;

function wasOpened(project: string): boolean {
  try {
    return localStorage.getItem(placeOf(project)) !== null;
  } catch {
    return false; // a store that is closed keeps nothing: the guard stays
  }
}

function remember(project: string, open: boolean): boolean {
  try {
    if (open) localStorage.setItem(placeOf(project), "1");
    else localStorage.removeItem(placeOf(project));
  } catch {
    // It is open until the page is loaded again.
  }
  return open;
}
