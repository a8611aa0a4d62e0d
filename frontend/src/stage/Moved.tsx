/** The story went on elsewhere while words were written here: see it, or begin a branch where they were
 * written. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Foot.module.css";
import { useMoves, useSay } from "./verbs";

interface MovedProps {
  /** The words, and the end of the story that was seen when they were sent. */
  words: { text: string; parent: string };
  onDone: () => void;
}

export function Moved({ words, onDone }: MovedProps) {
  const { t } = useTranslation();
  const { back } = useMoves();
  const say = useSay();
  const branch = async () => {
    await back.mutateAsync(words.parent);
    await say.mutateAsync(words);
    onDone();
  };
  const error = back.error ?? say.error;
  return (
    <div className={classes.moved} role="alert">
      <p>{t("stage.movedOn")}</p>
      <Button onClick={onDone}>{t("stage.show")}</Button>
      <Button
        loading={back.isPending || say.isPending}
        onClick={() => branch().catch(() => {})} // what failed is shown below
      >
        {t("stage.branchHere")}
      </Button>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}
