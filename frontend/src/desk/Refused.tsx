/** A refusal about chapters in the reader's words; one that has none keeps the server's sentence. */
import { useTranslation } from "react-i18next";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";

const KNOWN = [
  "name_taken",
  "bad_chapter_name",
  "chapter_exists",
  "chapter_changed",
  "chapter_not_found",
  "not_utf8",
  "manuscript_gone",
  "read_only_file",
  "disk_full",
  "no_permission",
] as const;

interface RefusedProps {
  error: unknown;
  onRetry?: () => void;
}

export function Refused({ error, onRetry }: RefusedProps) {
  const { t } = useTranslation();
  const { code } = asRefusal(error);
  const known = KNOWN.find((one) => one === code);
  const retry = onRetry === undefined ? {} : { onRetry };
  if (known === undefined) return <ErrorNote error={error} {...retry} />;
  return <ErrorNote error={error} text={t(`desk.refused.${known}`)} {...retry} />;
}
