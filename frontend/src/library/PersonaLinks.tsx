/** What a persona is put on for by itself: cards, groups and stories. What is not in the library here is shown
 * by the name it had where it came from, and kept. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { IconButton } from "@/ui/IconButton";
import classes from "./Sheet.module.css";

export interface PersonaLink {
  kind: "character" | "group" | "project";
  id: string;
}

interface LinksProps {
  links: readonly PersonaLink[];
  change: (links: PersonaLink[]) => void;
}

const MANY = { params: { query: { limit: 200 } } };

export function PersonaLinks({ links, change }: LinksProps) {
  const { t } = useTranslation();
  const cards = useQuery({
    queryKey: [...keys.cards, "names"],
    queryFn: () => told(api.GET("/api/cards", MANY)),
  });
  const stories = useQuery({
    queryKey: [...keys.projects, "names"],
    queryFn: () => told(api.GET("/api/projects", { params: { query: { limit: 100 } } })),
  });
  const names = new Map<string, string>([
    ...(cards.data?.items ?? []).map((one) => [`character ${one.id}`, one.name] as const),
    ...(stories.data?.items ?? []).map((one) => [`project ${one.id}`, one.title] as const),
  ]);
  const linked = new Set(links.map((one) => `${one.kind} ${one.id}`));
  const free = [...names].filter(([key]) => !linked.has(key));
  return (
    <fieldset className={classes.texts}>
      <legend>{t("library.persona_links")}</legend>
      <ul className={classes.versions}>
        {links.map((one) => {
          const name = names.get(`${one.kind} ${one.id}`) ?? one.id;
          return (
            <li key={`${one.kind} ${one.id}`}>
              <span>
                {name}{" "}
                <span className={classes.facts}>{t(`library.persona_link.${one.kind}`)}</span>
              </span>
              <IconButton
                icon="close"
                label={`${t("library.persona_unlink")}: ${name}`}
                onClick={() => change(links.filter((other) => other !== one))}
              />
            </li>
          );
        })}
      </ul>
      {free.length > 0 && (
        <NativeSelect
          aria-label={t("library.persona_addLink")}
          value=""
          data={[
            { value: "", label: t("library.persona_addLink") },
            ...free.map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => {
            const [kind, id] = event.currentTarget.value.split(" ");
            if (id === undefined) return;
            change([...links, { kind: kind === "project" ? "project" : "character", id }]);
          }}
        />
      )}
    </fieldset>
  );
}
