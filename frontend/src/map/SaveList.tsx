/** The saves of the story, newest first: shown on the map, gone to, renamed, put into the trash. */
import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { components } from "@/api/schema.gen";
import type { Project } from "@/api/types";
import { amount } from "@/ui/amounts";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import { dayOf } from "@/ui/times";
import classes from "./Map.module.css";
import { useGoThere } from "./moving";

type Save = components["schemas"]["SaveTold"];

interface SaveListProps {
  project: Project;
  onShow: (turn: string) => void;
}

export function SaveList({ project, onShow }: SaveListProps) {
  const { t } = useTranslation();
  const saves = useInfiniteQuery({
    queryKey: [...keys.project(project.id), "saves", "all"],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/projects/{project_id}/saves", {
          params: {
            path: { project_id: project.id },
            query: pageParam === null ? {} : { after: pageParam },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
  const items = (saves.data?.pages ?? []).flatMap((page) => page.items);
  return (
    <section aria-label={t("stage.saves")} className={classes.saves}>
      <h2 className={classes.heading}>{t("stage.saves")}</h2>
      {saves.error !== null && <ErrorNote error={saves.error} />}
      {saves.data !== undefined && items.length === 0 && <Empty text={t("stage.noSaves")} />}
      <ul className={classes.list}>
        {items.map((save) => (
          <One key={save.id} save={save} project={project} onShow={onShow} />
        ))}
      </ul>
      {saves.hasNextPage && (
        <Button loading={saves.isFetchingNextPage} onClick={() => void saves.fetchNextPage()}>
          {t("map.moreSaves")}
        </Button>
      )}
    </section>
  );
}

function One({ save, project, onShow }: SaveListProps & { save: Save }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [renaming, setRenaming] = useState(false);
  const goThere = useGoThere(project);
  const refresh = () => queries.invalidateQueries({ queryKey: keys.project(project.id) });
  const path = { params: { path: { save_id: save.id } } };
  const remove = useMutation({
    mutationFn: () => told(api.DELETE("/api/saves/{save_id}", path)),
    onSuccess: refresh,
  });
  const failure = goThere.error ?? remove.error;
  return (
    <li>
      {renaming ? (
        <Rename save={save} onDone={() => setRenaming(false)} refresh={refresh} />
      ) : (
        <div className={classes.one}>
          <button type="button" className={classes.saveName} onClick={() => onShow(save.turn)}>
            {save.name}
            <span className={classes.facts}>
              {" "}
              {t("stage.turn", { n: amount(save.number) })} · {dayOf(save.created_at)}
              {!save.on_branch && ` · ${t("stage.otherBranch")}`}
            </span>
          </button>
          <Button
            size="xs"
            aria-label={`${t("stage.goThere")} ${save.name}`}
            disabled={!save.standing || save.turn === project.head || project.active !== null}
            onClick={() => goThere.mutate({ turn: save.turn, number: save.number })}
          >
            {t("stage.goThere")}
          </Button>
          <IconButton
            icon="edit"
            label={t("map.rename", { name: save.name })}
            onClick={() => setRenaming(true)}
          />
          <IconButton
            icon="trash"
            label={t("map.remove", { name: save.name })}
            onClick={() => remove.mutate()}
          />
        </div>
      )}
      {failure !== null && <ErrorNote error={failure} />}
    </li>
  );
}

interface RenameProps {
  save: Save;
  onDone: () => void;
  refresh: () => Promise<void>;
}

function Rename({ save, onDone, refresh }: RenameProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(save.name);
  useEscape(true, onDone);
  const rename = useMutation({
    mutationFn: async () => {
      await told(
        api.PATCH("/api/saves/{save_id}", {
          params: { path: { save_id: save.id } },
          body: { name: name.trim(), revision: save.revision },
        }),
      );
      await refresh();
      onDone();
    },
  });
  return (
    <form
      className={classes.naming}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") rename.mutate();
      }}
    >
      <TextInput
        autoFocus
        label={t("map.newName")}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" loading={rename.isPending}>
        {t("common.save")}
      </Button>
      <Button variant="subtle" onClick={onDone}>
        {t("common.cancel")}
      </Button>
      {rename.error !== null && <ErrorNote error={rename.error} />}
    </form>
  );
}
