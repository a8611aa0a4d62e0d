/** One card: what it says, a story begun with it, its report, its JSON. All its words are plain text. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { useParam } from "@/app/param";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { Pending } from "@/ui/Pending";
import { BeginStory } from "./BeginStory";
import { Brought } from "./Brought";
import { CardEditor } from "./CardEditor";
import { CardTexts } from "./CardTexts";
import { CardVersions } from "./CardVersions";
import { ReportLists } from "./importing/ReportLists";
import { Sheet } from "./Sheet";
import classes from "./Sheet.module.css";
import type { CardEntry } from "./types";
import { useDelete } from "./useDelete";
import { useFavourite } from "./useFavourite";

export function CardSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: [...keys.cards, id],
    queryFn: () => told(api.GET("/api/cards/{card_id}", { params: { path: { card_id: id } } })),
  });
  if (found.data !== undefined) return <Found card={found.data} onClose={onClose} />;
  return (
    <Sheet title={t("library.title")} onClose={onClose}>
      {found.isPending && <Pending />}
      {found.error !== null &&
        (asRefusal(found.error).status === 404 ? (
          <ErrorNote error={found.error} />
        ) : (
          <ErrorNote error={found.error} text={t("library.brokenCard")} />
        ))}
    </Sheet>
  );
}

function Found({ card, onClose }: { card: CardEntry; onClose: () => void }) {
  const { t } = useTranslation();
  const star = useFavourite(card);
  const remove = useDelete("card", card, onClose);
  const fields = card.fields;
  const [, go] = useLocation();
  const [editing, edit] = useParam("edit");
  const showNow = (id: string) => go(`/library/cards/${id}`, { replace: true });
  if (editing !== null && !card.past) {
    return (
      <Sheet key="edit" title={card.name} onClose={() => edit(null)}>
        <CardEditor card={card} onKept={showNow} onCancel={() => edit(null)} />
      </Sheet>
    );
  }
  return (
    <Sheet
      title={card.name}
      onClose={onClose}
      tools={
        <IconButton
          icon="star"
          label={t(star.on ? "library.unfavourite" : "library.favourite")}
          pressed={star.on}
          onClick={star.toggle}
          size={44}
        />
      }
    >
      <div className={classes.head}>
        <div className={classes.portrait}>
          <span aria-hidden="true">{[...card.name][0]}</span>
          <img src={`/api/cards/${card.id}/picture?w=320`} alt="" />
        </div>
        <div className={classes.about}>
          {fields !== null && (
            <p className={classes.facts}>
              {t("library.facts", {
                greetings: fields.greetings.length,
                entries: fields.own_entries,
              })}
            </p>
          )}
          {fields !== null && fields.creator !== "" && (
            <p className={classes.facts}>{t("library.by", { name: fields.creator })}</p>
          )}
          <p className={classes.facts}>{card.tags.join(" · ")}</p>
          {fields !== null && fields.own_entries > 0 && (
            <Link href={`/library/lorebooks/${card.id}?of=card`}>{t("library.readEntries")}</Link>
          )}
        </div>
      </div>
      {card.broken !== null && <p role="alert">{t("library.brokenCard")}</p>}
      {fields !== null && <BeginStory card={card} fields={fields} />}
      {card.past && <p>{t("library.past")}</p>}
      {!card.past && (
        <div className={classes.actions}>
          <Button onClick={() => edit("1")}>{t("library.edit")}</Button>
        </div>
      )}
      {fields !== null && <CardTexts fields={fields} />}
      {fields !== null && <Brought owner={card.id} />}
      <ReportLists report={card.report} />
      {!card.past && <CardVersions card={card} onKept={showNow} />}
      <details className={classes.fold}>
        <summary>{t("library.raw")}</summary>
        <pre className={classes.raw}>{JSON.stringify(card.content, null, 2)}</pre>
      </details>
      <div className={classes.actions}>
        <Button component="a" href={`/api/cards/${card.id}/export?form=png`} download>
          {t("library.asPng")}
        </Button>
        <Button component="a" href={`/api/cards/${card.id}/export?form=json`} download>
          {t("library.asJson")}
        </Button>
        <Button variant="subtle" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t("library.delete")}
        </Button>
      </div>
      {remove.error !== null && <ErrorNote error={remove.error} />}
    </Sheet>
  );
}
