/** A new variant that yielded nothing gives the story back to the one before it: that is said once, so
 * that nobody wonders where it went. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "@/ui/toasts";
import type { Stage } from "./stage";

export function useFellBack({ project, rows, sent, setSent }: Stage): void {
  const { t } = useTranslation();
  const ran = useRef<string | null>(null);
  useEffect(() => {
    if (project.active !== null) {
      ran.current = project.active;
      return;
    }
    const gone = ran.current === sent && !rows.some((row) => row.id === sent);
    if (sent === null || !gone || project.queued.includes(sent)) return;
    ran.current = null;
    setSent(null);
    if (rows.at(-1)?.id === project.head) toast({ text: t("stage.nothingWritten") });
  }, [project, rows, sent, setSent, t]);
}
