/** A refusal where it happened: it stays, it can be copied, it names the next step. */
import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { asRefusal } from "@/api/problem";
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
  const sentence =
    text ?? (refusal.code === "unreachable" ? t("common.unreachable") : refusal.detail);
  const whole = [sentence, refusal.hint, `(${refusal.code})`].filter(Boolean).join("\n");
  return (
    <div className={classes.note} role="alert">
      <Icon name="warning" />
      <div className={classes.body}>
        <p>{sentence}</p>
        {refusal.hint !== "" && <p className={classes.hint}>{refusal.hint}</p>}
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
