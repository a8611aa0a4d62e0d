/** Words that wait behind the running turn: seen as stored, and can be taken back to the box. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Prose } from "@/reading/Prose";
import { giveBack } from "@/ui/draft";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useTurn } from "./useElapsed";
import { stop, useVerb } from "./verbs";

export function Queued() {
  const { project } = useStage();
  return project.queued.map((turn) => <One key={turn} turn={turn} />);
}

function One({ turn }: { turn: string }) {
  const { t } = useTranslation();
  const { project } = useStage();
  const known = useTurn(turn);
  const takeBack = useVerb(async () => {
    const done = await stop(turn);
    giveBack(project.id, done.user_text);
  });
  if (known.data === undefined) return null;
  return (
    <div className={classes.queued}>
      <Prose by="user" text={known.data.user_text} />
      <p className={classes.facts}>
        {t("stage.queued")}{" "}
        <Button size="compact-sm" variant="subtle" onClick={() => takeBack.mutate()}>
          {t("stage.takeBack")}
        </Button>
      </p>
      {takeBack.error !== null && <ErrorNote error={takeBack.error} />}
    </div>
  );
}
