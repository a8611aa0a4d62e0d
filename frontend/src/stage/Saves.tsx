/** Named saves: places of the story to come back to. With a turn: a name for that one. */
import { Button, Stack, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { dayOf } from "@/ui/times";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useMoves, useVerb } from "./verbs";

export default function Saves({ turn }: { turn: string | null }) {
  const { t } = useTranslation();
  const { project, rows, busy } = useStage();
  const at = { project_id: project.id };
  const queries = useQueryClient();
  const { goTo } = useMoves();
  const known = useInfiniteQuery({
    queryKey: [...keys.project(project.id), "saves", "sheet"],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/projects/{project_id}/saves", {
          params: { path: at, query: { after: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const here = turn ?? project.head;
  const number = rows.find((row) => row.id === here)?.number ?? 0;
  const [name, setName] = useState("");
  const make = useVerb(async () => {
    const body = { name: name.trim() || t("stage.turn", { n: number }), turn: here };
    await told(api.POST("/api/projects/{project_id}/saves", { params: { path: at }, body }));
    setName("");
    await queries.invalidateQueries({ queryKey: [...keys.project(project.id), "saves"] });
  });
  const remove = useVerb((save_id: string) =>
    told(api.DELETE("/api/saves/{save_id}", { params: { path: { save_id } } })),
  );
  const items = known.data?.pages.flatMap((page) => page.items) ?? [];
  const failure = make.error ?? goTo.error ?? remove.error ?? known.error;
  return (
    <Stack>
      <form
        className={classes.naming}
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <TextInput
          autoFocus
          label={t("stage.saveName", { n: number })}
          placeholder={t("stage.turn", { n: number })}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="filled" loading={make.isPending}>
          {t("common.save")}
        </Button>
      </form>
      {failure !== null && <ErrorNote error={failure} />}
      {known.data !== undefined && items.length === 0 && <Empty text={t("stage.noSaves")} />}
      <ul className={classes.saves}>
        {items.map((save) => (
          <li key={save.id} className={classes.save}>
            <span>
              {save.name}
              <span className={classes.facts}>
                {" "}
                {t("stage.turn", { n: save.number })} · {dayOf(save.created_at)}
                {!save.on_branch && ` · ${t("stage.otherBranch")}`}
              </span>
            </span>
            <span className={classes.buttons}>
              <Button
                size="xs"
                disabled={busy || !save.standing || save.turn === project.head}
                onClick={() =>
                  goTo.mutate({
                    turn: save.turn,
                    text: t("stage.standingAt", { n: save.number }),
                  })
                }
              >
                {t("stage.goThere")}
              </Button>
              <Button size="xs" variant="subtle" onClick={() => remove.mutate(save.id)}>
                {t("stage.toTrash")}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {known.hasNextPage && (
        <Button loading={known.isFetchingNextPage} onClick={() => void known.fetchNextPage()}>
          {t("common.more")}
        </Button>
      )}
    </Stack>
  );
}
