/** Where a persona's description stands in the prompt, and the lorebook that goes with it. */
import { NativeSelect, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Pick } from "@/picking/Pick";
import type { PersonaLink } from "./PersonaLinks";
import type { PersonaItem } from "./types";

const PLACES = ["in_prompt", "note_top", "note_bottom", "at_depth", "none"] as const;
const ROLES = ["system", "user", "assistant"] as const;

export interface Standing {
  place: PersonaItem["place"];
  depth: number;
  role: PersonaItem["role"];
  /** The name of a lorebook; it need not be in the library. */
  lorebook: string;
  links: PersonaLink[];
}

interface PlaceProps {
  standing: Standing;
  change: (next: Partial<Standing>) => void;
}

export function PersonaPlace({ standing, change }: PlaceProps) {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        label={t("library.persona_place")}
        value={standing.place}
        data={PLACES.map((value) => ({ value, label: t(`library.persona_at.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          change({ place: PLACES.find((one) => one === value) ?? "in_prompt" })
        }
      />
      {standing.place === "at_depth" && (
        <>
          <TextInput
            label={t("library.persona_depth")}
            type="number"
            min={0}
            value={String(standing.depth)}
            onChange={({ currentTarget: { value } }) =>
              change({ depth: Math.max(0, Math.trunc(Number(value)) || 0) })
            }
          />
          <NativeSelect
            label={t("library.persona_role")}
            value={standing.role}
            data={ROLES.map((value) => ({ value, label: t(`library.role.${value}`) }))}
            onChange={({ currentTarget: { value } }) =>
              change({ role: ROLES.find((one) => one === value) ?? "system" })
            }
          />
        </>
      )}
      <Pick
        kind="lorebooks"
        label={t("library.persona_book")}
        none={t("library.persona_noBook")}
        byName
        value={standing.lorebook}
        onChange={(lorebook) => change({ lorebook })}
      />
    </>
  );
}
