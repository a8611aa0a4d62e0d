/** A refusal where it happened: it stays, it can be copied, it names the next step. */
import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { asRefusal, type Refusal } from "@/api/problem";
import classes from "./ErrorNote.module.css";
import { Icon } from "./icons";

interface ErrorNoteProps {
  error: unknown;
  /** The sentence to show in place of the server's own. */
  text?: string;
  onRetry?: () => void;
}

export function ErrorNote({ error, text, onRetry }: ErrorNoteProps) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2000 });
  const refusal = asRefusal(error);
  const ours = OURS.get(refusal.code);
  const known =
    ours === undefined
      ? t(`common.refused.${kindOf(refusal.status)}`, { said: refusal.detail })
      : t(`common.${ours}`);
  const sentence = text ?? known;
  // The server speaks English: where the page does not, its words stand under the page's own.
  const said = text !== undefined || known === refusal.detail ? "" : spoken(refusal);
  const more = [said, refusal.hint].filter(Boolean).join(" ");
  const whole = [sentence, more, `(${refusal.code})`].filter(Boolean).join("\n");
  return (
    <div className={classes.note} role="alert">
      <Icon name="warning" />
      <div className={classes.body}>
        <p>{sentence}</p>
        {more !== "" && (
          <p className={classes.hint} lang="en">
            {more}
          </p>
        )}
        <div className={classes.actions}>
          {onRetry !== undefined && <Button onClick={onRetry}>{t("common.retry")}</Button>}
          <Button variant="subtle" onClick={() => clipboard.copy(whole)}>
            {clipboard.copied ? t("common.copied") : t("common.copy")}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Codes that the page has words of its own for. */
const OURS: ReadonlyMap<string, "unreachable" | "diskFull"> = new Map([
  ["unreachable", "unreachable"],
  ["disk_full", "diskFull"],
]);

/** What a status says by itself. */
function kindOf(
  status: number,
): "absent" | "conflict" | "tooLarge" | "invalid" | "tooOften" | "broken" | "other" {
  if (status === 404) return "absent";
  if (status === 409 || status === 412) return "conflict";
  if (status === 413) return "tooLarge";
  if (status === 400 || status === 422) return "invalid";
  if (status === 429) return "tooOften";
  return status >= 500 ? "broken" : "other";
}

/** The server's own sentence; nobody said one where there was no server. */
function spoken(refusal: Refusal): string {
  return refusal.code === "unreachable" ? "" : refusal.detail;
}
