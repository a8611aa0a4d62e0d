/** Personas: the list, and the form that makes one or writes a new version of it. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { Pending } from "@/ui/Pending";
import classes from "./Library.module.css";
import { PersonaForm } from "./PersonaForm";
import { Sheet } from "./Sheet";
import type { PersonaItem } from "./types";
import { useDelete } from "./useDelete";

const NEW = "new";

export function Personas({ item }: { item: string | null }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const found = useQuery({
    queryKey: [...keys.personas, "all"],
    queryFn: () => told(api.GET("/api/personas", { params: { query: { limit: 200 } } })),
  });
  const personas = found.data?.items ?? [];
  const open = personas.find((one) => one.id === item);
  const close = () => go("/library/personas");
  return (
    <>
      <div className={classes.tools}>
        <Button component={Link} href={`/library/personas/${NEW}`}>
          {t("library.newPersona")}
        </Button>
      </div>
      {found.isPending && <Pending />}
      {found.error !== null && <ErrorNote error={found.error} />}
      {found.data !== undefined && personas.length === 0 && (
        <Empty text={t("library.empty.personas")} />
      )}
      <ul className={classes.list} aria-label={t("library.kind.personas")}>
        {personas.map((one) => (
          <Row key={one.id} one={one} />
        ))}
      </ul>
      {item === NEW && (
        <Sheet title={t("library.newPersona")} onClose={close}>
          <PersonaForm persona={null} onKept={(id) => go(`/library/personas/${id}`)} />
        </Sheet>
      )}
      {open !== undefined && (
        <Sheet title={open.name} onClose={close}>
          <PersonaForm key={open.id} persona={open} onKept={close} />
        </Sheet>
      )}
    </>
  );
}

function Row({ one }: { one: PersonaItem }) {
  const { t } = useTranslation();
  const remove = useDelete("persona", one);
  return (
    <li className={classes.row}>
      <Link className={classes.grow} href={`/library/personas/${one.id}`}>
        <span className={classes.rowName}>{one.name}</span>
        <span className={`${classes.facts} ${classes.rowLine}`}>
          {one.title === "" ? one.description : one.title}
        </span>
      </Link>
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
