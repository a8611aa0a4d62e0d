/** What a model would make of a note and may not without the reader: it would leave less than half. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "../Panels.module.css";
import { type Proposal, useAnswer } from "./notes";

interface ProposedProps {
  project: string;
  at: string;
  proposal: Proposal;
}

export function Proposed({ project, at, proposal }: ProposedProps) {
  const { t } = useTranslation();
  const answer = useAnswer(project, at, proposal);
  const name = proposal.now.title || t(`memory.kinds.${proposal.now.kind}`);
  return (
    <section className={classes.form} aria-label={t("memory.proposed", { name })}>
      <p className={classes.facts}>{t("memory.proposed", { name })}</p>
      <ul className={classes.changes}>
        <li>
          <del>
            <span className="only-spoken">{t("common.deleted")}</span>
            {proposal.now.text}
          </del>
        </li>
        <li>
          <ins>
            <span className="only-spoken">{t("common.inserted")}</span>
            {proposal.text}
          </ins>
        </li>
      </ul>
      <div className={classes.buttons}>
        <Button loading={answer.isPending} onClick={() => answer.mutate(true)}>
          {t("memory.agree")}
        </Button>
        <Button disabled={answer.isPending} onClick={() => answer.mutate(false)}>
          {t("memory.keep")}
        </Button>
      </div>
      {answer.error !== null && <ErrorNote error={answer.error} />}
    </section>
  );
}
