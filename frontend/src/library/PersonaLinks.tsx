/** What a persona is put on for by itself: cards, groups and stories. What is not in the library here is shown
 * by the name it had where it came from, and kept. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Pick } from "@/picking/Pick";
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

const PICKED = [
  { kind: "character", of: "cards" },
  { kind: "project", of: "projects" },
] as const;

export function PersonaLinks({ links, change }: LinksProps) {
  const { t } = useTranslation();
  const linked = new Set(links.map((one) => one.id));
  return (
    <fieldset className={classes.texts}>
      <legend>{t("library.persona_links")}</legend>
      <ul className={classes.versions}>
        {links.map((one) => (
          <Linked
            key={`${one.kind} ${one.id}`}
            link={one}
            onRemove={() => change(links.filter((other) => other !== one))}
          />
        ))}
      </ul>
      {PICKED.map(({ kind, of }) => (
        <Pick
          key={kind}
          kind={of}
          label={t(`library.persona_add.${kind}`)}
          none={t(`library.persona_add.${kind}`)}
          quiet
          orNothing
          value=""
          without={linked}
          onChange={(id) => id !== "" && change([...links, { kind, id }])}
        />
      ))}
    </fieldset>
  );
}

function Linked({ link, onRemove }: { link: PersonaLink; onRemove: () => void }) {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: [...(link.kind === "project" ? keys.projects : keys.cards), "named by id", link.id],
    queryFn: () => nameOf(link),
    enabled: link.kind !== "group" && OURS.test(link.id),
    retry: false, // what is not here stays what it is called
  });
  const name = found.data ?? link.id;
  return (
    <li>
      <span>
        {name} <span className={classes.facts}>{t(`library.persona_link.${link.kind}`)}</span>
      </span>
      <IconButton
        icon="close"
        label={`${t("library.persona_unlink")}: ${name}`}
        onClick={onRemove}
      />
    </li>
  );
}

/** Ids of our own; of elsewhere a card is known by a file's name. */
const OURS = /^[0-9A-Za-z-]+$/;

async function nameOf({ kind, id }: PersonaLink): Promise<string> {
  if (kind === "project") {
    const at = { params: { path: { project_id: id } } };
    return (await told(api.GET("/api/projects/{project_id}", at))).title;
  }
  return (await told(api.GET("/api/cards/{card_id}", { params: { path: { card_id: id } } }))).name;
}
