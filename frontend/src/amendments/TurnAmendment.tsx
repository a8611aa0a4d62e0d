/** A lasting change at the turn that asked for it: what it is, what it changes, and the reader's word on it. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStage } from "@/stage/stage";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./TurnAmendment.module.css";
import { type Amendment, useAmendment, useDecide, verbsOf } from "./useAmendments";

export function TurnAmendment({ turn }: { turn: string }) {
  const { project } = useStage();
  const amendment = useAmendment(project.id, project.amendments, turn);
  return amendment === undefined ? null : <Told project={project.id} amendment={amendment} />;
}

function Told({ project, amendment }: { project: string; amendment: Amendment }) {
  const { t } = useTranslation();
  const decide = useDecide(project, amendment.turn);
  const { state } = amendment;
  return (
    <section className={classes.amendment} aria-label={t("amendments.name")}>
      <p className={classes.state}>{t(`amendments.states.${state}`)}</p>
      <p>{amendment.summary || amendment.request}</p>
      {amendment.summary !== "" && (
        <details className={classes.details}>
          <summary>{t("amendments.request")}</summary>
          <p className="prose">{amendment.request}</p>
        </details>
      )}
      {state === "failed" && (
        <p className={classes.why}>
          {amendment.message} ({amendment.code})
        </p>
      )}
      {state !== "failed" && state !== "working" && (
        <details className={classes.details} open={state === "proposed"}>
          <summary>{t("amendments.changes")}</summary>
          <Changes amendment={amendment} />
        </details>
      )}
      {decide.error !== null && <ErrorNote error={decide.error} />}
      <div className={classes.buttons}>
        {verbsOf(state).map((verb) => (
          <Button
            key={verb}
            loading={decide.isPending && decide.variables === verb}
            disabled={decide.isPending}
            onClick={() => decide.mutate(verb)}
          >
            {t(`amendments.verbs.${verb}`)}
          </Button>
        ))}
      </div>
    </section>
  );
}

function Changes({ amendment }: { amendment: Amendment }) {
  const { t } = useTranslation();
  return (
    <dl className={classes.changes}>
      {amendment.card.map((one) => (
        <div key={one.field}>
          <dt>{t(`amendments.fields.${one.field}`)}</dt>
          {one.old !== "" && (
            <dd className="prose">
              <del>
                <span className="only-spoken">{t("common.deleted")}</span>
                {one.old}
              </del>
            </dd>
          )}
          <dd className="prose">
            <ins>
              <span className="only-spoken">{t("common.inserted")}</span>
              {one.new}
            </ins>
          </dd>
        </div>
      ))}
      {amendment.lore.map((one) => (
        <div key={`${one.title}.${one.content}`}>
          <dt>{t("amendments.lore", { title: one.title })}</dt>
          <dd className="prose">
            <ins>{one.content}</ins>
          </dd>
          {one.keys.length > 0 && <dd className={classes.why}>{one.keys.join(" · ")}</dd>}
        </div>
      ))}
      {amendment.style.map((rule) => (
        <div key={rule}>
          <dt>{t("amendments.style")}</dt>
          <dd className="prose">
            <ins>{rule}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
