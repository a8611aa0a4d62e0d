/** A set of quick replies as it came: it is kept, handed out again, and never run. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { ReportLists } from "./importing/ReportLists";
import { repliesOf } from "./quickreplies";
import { Sheet } from "./Sheet";
import classes from "./Sheet.module.css";

export function QuickRepliesSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: ["quick-replies", id],
    queryFn: () =>
      told(api.GET("/api/quick-replies/{item_id}", { params: { path: { item_id: id } } })),
  });
  const set = found.data;
  return (
    <Sheet title={set?.name ?? t("library.kind.quick-replies")} onClose={onClose}>
      {found.isPending && <Pending />}
      {found.error !== null && <ErrorNote error={found.error} />}
      {set !== undefined && (
        <>
          <p className={classes.facts}>{t("library.repliesAbout")}</p>
          <ul className={classes.lines}>
            {repliesOf(set.content).map(({ label, message }, place) => (
              // Two may be the same; their order is their identity.
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={place}>
                <details>
                  <summary>{label || t("library.unnamed")}</summary>
                  <pre className={classes.raw}>{message}</pre>
                </details>
              </li>
            ))}
          </ul>
          <ReportLists report={set.report} />
          <div className={classes.actions}>
            <Button component="a" href={`/api/quick-replies/${set.id}/export`} download>
              {t("library.export")}
            </Button>
          </div>
        </>
      )}
    </Sheet>
  );
}
