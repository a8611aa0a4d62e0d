/** The ways to begin: the rehearsal in one click, a model, a card of the library. What was found on this
 * machine is named at once, so that nobody goes looking for it. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { languageInForce } from "@/i18n";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Home.module.css";
import { NewBook } from "./NewBook";

/** `first`: there is no story yet, so this is the whole page. */
export function Begin({ first }: { first: boolean }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const ready = useQuery({ queryKey: keys.ready, queryFn: () => told(api.GET("/api/ready")) });
  const rehearse = useMutation({
    mutationFn: () =>
      told(api.POST("/api/rehearsal", { body: { language: languageInForce(), mode: "roleplay" } })),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: keys.projects });
      go(`/p/${id}`);
    },
  });
  const model = ready.data?.model;
  return (
    <section className={classes.section} aria-labelledby="begin">
      <h2 id="begin" className={classes.heading}>
        {t(first ? "home.first" : "home.begin")}
      </h2>
      <div className={classes.ways} data-first={first || undefined}>
        <div className={classes.way}>
          <Button
            size="md"
            variant={first ? "filled" : "default"}
            loading={rehearse.isPending}
            onClick={() => rehearse.mutate()}
          >
            {t("home.rehearse")}
          </Button>
          <p className={classes.facts}>{t("home.rehearsal")}</p>
        </div>
        <div className={classes.way}>
          <Button size="md" component={Link} href="/connections">
            {t(model?.connected ? "home.models" : "home.connect")}
          </Button>
          <p className={classes.facts}>
            {model?.connected ? t("home.connected", { name: model.name }) : t("home.connecting")}
          </p>
        </div>
        <div className={classes.way}>
          <Button size="md" component={Link} href="/library/cards">
            {t("home.card")}
          </Button>
          <p className={classes.facts}>{t("home.cards")}</p>
          {first && (
            <Button variant="subtle" component={Link} href="/library/move">
              {t("home.moveIn")}
            </Button>
          )}
        </div>
        <NewBook />
      </div>
      {rehearse.error !== null && <ErrorNote error={rehearse.error} />}
    </section>
  );
}
