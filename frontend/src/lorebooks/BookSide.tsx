/** What is said of a book as a whole: its name, and what it was before. */
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { dayOf } from "@/ui/times";
import classes from "./Lorebooks.module.css";
import { type BookSeen, useRestoreBook, useWriteBook } from "./useWriteBook";

export function BookSide({ seen, name }: { seen: BookSeen; name: string }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(name);
  const write = useWriteBook(seen);
  return (
    <>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          write.mutate({ edit: { name: typed.trim() }, says: t("lorebooks.renamed") });
        }}
      >
        <TextInput
          label={t("lorebooks.name")}
          maxLength={500}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          loading={write.isPending}
          disabled={typed.trim() === "" || typed.trim() === name}
        >
          {t("lorebooks.rename")}
        </Button>
        {write.error !== null && <ErrorNote error={write.error} />}
      </form>
      <Versions seen={seen} />
    </>
  );
}

function Versions({ seen }: { seen: BookSeen }) {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: [...keys.lorebooks, seen.place, "versions"],
    queryFn: () =>
      told(
        api.GET("/api/lorebooks/{book_id}/versions", {
          params: { path: { book_id: seen.place.id } },
        }),
      ),
  });
  const restore = useRestoreBook(seen);
  const versions = found.data?.items ?? [];
  return (
    <section aria-label={t("lorebooks.versions")}>
      <h3 className={classes.heading}>{t("lorebooks.versions")}</h3>
      <p className={classes.facts}>{t("lorebooks.versionsAbout")}</p>
      {found.error !== null && <ErrorNote error={found.error} />}
      {restore.error !== null && <ErrorNote error={restore.error} />}
      <ul className={classes.versions}>
        {versions.map((one, place) => {
          const version = t("lorebooks.version", { n: versions.length - place });
          return (
            <li key={one.id}>
              <span>
                {version} · {one.name} · {dayOf(one.created_at)}
              </span>
              {place > 0 && (
                <Button
                  aria-label={`${t("lorebooks.restore")}: ${version}`}
                  loading={restore.isPending && restore.variables === one.id}
                  onClick={() => restore.mutate(one.id)}
                >
                  {t("lorebooks.restore")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
