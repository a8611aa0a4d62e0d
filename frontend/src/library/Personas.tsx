/** Personas: the list with their pictures, and the form that makes one or writes a new version of it. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { Face } from "@/ui/Face";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { Pending } from "@/ui/Pending";
import classes from "./Library.module.css";
import { PersonaForm } from "./PersonaForm";
import { PersonaPicture } from "./PersonaPicture";
import { Sheet } from "./Sheet";
import { ShelfFrame } from "./ShelfFrame";
import type { PersonaItem } from "./types";
import { useDelete } from "./useDelete";
import { type Asked, useShelf } from "./useShelf";

const NEW = "new";
const load = (query: Asked) => told(api.GET("/api/personas", { params: { query } }));

export function Personas({ item }: { item: string | null }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const shelf = useShelf<PersonaItem>("personas", load);
  const close = () => go("/library/personas");
  return (
    <>
      <ShelfFrame
        shelf={shelf}
        name={t("library.kind.personas")}
        placeholder={t("common.findName")}
        empty={t("library.empty.personas")}
        tools={
          <Button component={Link} href={`/library/personas/${NEW}`}>
            {t("library.newPersona")}
          </Button>
        }
      >
        {shelf.items.map((one) => (
          <Row key={one.id} one={one} />
        ))}
      </ShelfFrame>
      {item === NEW && (
        <Sheet title={t("library.newPersona")} onClose={close}>
          <PersonaForm persona={null} onKept={(id) => go(`/library/personas/${id}`)} />
        </Sheet>
      )}
      {item !== null && item !== NEW && <Open key={item} id={item} onClose={close} />}
    </>
  );
}

/** The one that is open is asked for by itself: it may stand far down the list. */
function Open({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: [...keys.personas, id],
    queryFn: () => told(api.GET("/api/personas/{item_id}", { params: { path: { item_id: id } } })),
  });
  const persona = found.data;
  return (
    <Sheet title={persona?.name ?? t("library.kind.personas")} onClose={onClose}>
      {found.isPending && <Pending />}
      {found.error !== null && <ErrorNote error={found.error} />}
      {persona !== undefined && (
        <>
          <PersonaPicture persona={persona} />
          <PersonaForm persona={persona} onKept={onClose} />
        </>
      )}
    </Sheet>
  );
}

function Row({ one }: { one: PersonaItem }) {
  const { t } = useTranslation();
  const remove = useDelete("persona", one);
  return (
    <li className={classes.row}>
      <Face name={one.name} picture={one.picture} />
      <Link className={classes.grow} href={`/library/personas/${one.id}`}>
        <span className={classes.rowName}>{one.name}</span>
        <span className={`${classes.facts} ${classes.rowLine}`}>
          {one.title === "" ? one.description : one.title}
        </span>
      </Link>
      <a
        className={classes.icon}
        href={`/api/personas/${one.id}/export`}
        download
        aria-label={`${t("library.export")}: ${one.name}`}
        title={t("library.export")}
      >
        <Icon name="export" />
      </a>
      <IconButton
        icon="trash"
        label={`${t("library.delete")}: ${one.name}`}
        onClick={() => remove.mutate()}
        disabled={remove.isPending}
        size={44}
      />
    </li>
  );
}
