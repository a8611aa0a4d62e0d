/** Emptying the trash: it names what goes, with the turns and saves of each story, and asks once. */
import { Button, Modal } from "@mantine/core";
import { useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Library.module.css";
import type { TrashItem } from "./types";

const NAMED = 20;

interface EmptyTrashProps {
  items: readonly TrashItem[];
  /** More than these lie there. */
  more: boolean;
}

export function EmptyTrash({ items, more }: EmptyTrashProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const seen = items[0]?.deleted_at ?? "";
  const empty = useMutation({
    mutationFn: () => told(api.POST("/api/trash/empty", { body: { seen } })),
    onSuccess: () => {
      setOpen(false);
      return queries.invalidateQueries({ queryKey: keys.trash });
    },
  });
  const rest = items.length - NAMED;
  return (
    <div className={classes.tools}>
      <Button onClick={() => setOpen(true)}>{t("library.emptyTrash")}</Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={t("library.emptyTrash")}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <p>{t("library.emptyAsk")}</p>
        <Named items={items.slice(0, NAMED)} asked={open} />
        {(rest > 0 || more) && (
          <p className={classes.facts}>
            {more ? t("library.emptyAll") : t("library.emptyMore", { n: rest })}
          </p>
        )}
        {empty.error !== null && <ErrorNote error={empty.error} />}
        <Button variant="filled" loading={empty.isPending} onClick={() => empty.mutate()}>
          {t("library.emptyNow")}
        </Button>
      </Modal>
    </div>
  );
}

function Named({ items, asked }: { items: readonly TrashItem[]; asked: boolean }) {
  const { t } = useTranslation();
  const stories = items.filter((one) => one.kind === "project");
  const contents = useQueries({
    queries: stories.map(({ id }) => ({
      queryKey: [...keys.trash, "contents", id],
      queryFn: () =>
        told(api.GET("/api/trash/project/{project_id}", { params: { path: { project_id: id } } })),
      enabled: asked,
    })),
  });
  const within = new Map(stories.map(({ id }, place) => [id, contents[place]?.data]));
  return (
    <ul>
      {items.map(({ kind, id, name }) => {
        const held = kind === "project" ? within.get(id) : undefined;
        return (
          <li key={`${kind} ${id}`}>
            {name}{" "}
            <span className={classes.facts}>
              {t(`library.thing.${kind}`)}
              {held !== undefined &&
                ` · ${t("library.emptyHolds", { turns: held.turns, saves: held.saves })}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
