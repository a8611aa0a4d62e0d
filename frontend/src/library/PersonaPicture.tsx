/** The picture of a persona: chosen from a file, shown, taken away. It is kept at once, a version like every
 * other change; what is typed below stays where it is. */
import { Button, FileButton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { sendFile } from "@/api/form";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import { Face } from "@/ui/Face";
import classes from "./Sheet.module.css";
import type { PersonaItem } from "./types";

const ACCEPTED = "image/png,image/jpeg,image/gif,image/webp";
const REASONS = ["not_a_picture", "picture_too_large", "file_too_large", "stale"] as const;

export function PersonaPicture({ persona }: { persona: PersonaItem }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const place = `/api/personas/${persona.id}/picture?revision=${persona.revision}`;
  const change = useMutation({
    mutationFn: (file: File | null) => (file === null ? remove(persona) : sendFile(place, file)),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.personas }),
  });
  const code = change.error === null ? "" : asRefusal(change.error).code;
  const reason = REASONS.find((one) => one === code);
  const has = persona.picture !== null;
  return (
    <div className={classes.head}>
      <Face name={persona.name} picture={persona.picture} size="large" />
      <div className={classes.about}>
        <div className={classes.actions}>
          <FileButton accept={ACCEPTED} onChange={(file) => file !== null && change.mutate(file)}>
            {(props) => (
              <Button {...props} loading={change.isPending}>
                {t(has ? "library.persona_otherPicture" : "library.persona_picture")}
              </Button>
            )}
          </FileButton>
          {has && (
            <Button
              variant="subtle"
              disabled={change.isPending}
              onClick={() => change.mutate(null)}
            >
              {t("library.persona_noPicture")}
            </Button>
          )}
        </div>
        <p className={classes.facts}>{t("library.persona_pictureAbout")}</p>
        {change.error !== null && (
          <ErrorNote
            error={change.error}
            {...(reason === undefined ? {} : { text: t(`library.persona_refused.${reason}`) })}
          />
        )}
      </div>
    </div>
  );
}

function remove({ id, revision }: PersonaItem): Promise<unknown> {
  const params = { path: { item_id: id }, query: { revision } };
  return told(api.DELETE("/api/personas/{item_id}/picture", { params }));
}
