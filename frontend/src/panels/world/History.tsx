/** The versions of the ledger, newest first: who wrote each, why, what it changed; and taking one back. */
import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { dayOf } from "@/ui/times";
import classes from "../Panels.module.css";
import { Changes } from "./Changes";
import type { Version } from "./ledger";

interface HistoryProps {
  project: string;
  turn: string | null;
  revision: number;
  fixed: boolean;
}

export function History(props: HistoryProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("world.history")}</summary>
      {open && <Versions {...props} />}
    </details>
  );
}

function Versions({ project, turn, revision, fixed }: HistoryProps) {
  const { t } = useTranslation();
  const found = useInfiniteQuery({
    queryKey: [...keys.ledger(project), "history", turn],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/projects/{project_id}/ledger/history", {
          params: { path: { project_id: project }, query: { at: turn, after: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
  if (found.error !== null) return <ErrorNote error={found.error} />;
  if (found.data === undefined) return <Pending />;
  const versions = found.data.pages.flatMap((page) => page.items);
  if (versions.length === 0) return <p className={classes.facts}>{t("world.noHistory")}</p>;
  return (
    <>
      <ol className={classes.list}>
        {versions.map((version) => (
          <One
            key={`${version.node}.${version.version}`}
            version={version}
            project={project}
            revision={revision}
            fixed={fixed}
          />
        ))}
      </ol>
      {found.hasNextPage && (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {t("world.older")}
        </Button>
      )}
    </>
  );
}

interface OneProps {
  version: Version;
  project: string;
  revision: number;
  fixed: boolean;
}

function One({ version, project, revision, fixed }: OneProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const revert = useMutation({
    mutationFn: () =>
      told(
        api.POST("/api/projects/{project_id}/ledger/revert", {
          params: { path: { project_id: project } },
          body: { revision, node: version.node, version: version.version },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.ledger(project) }),
  });
  return (
    <li>
      <p className={classes.facts}>
        {t(`world.reason.${version.reason}`)} · {dayOf(version.at)}
      </p>
      <Changes changes={version.changes} />
      {Object.entries(version.evidence).map(([path, said]) => (
        <blockquote key={path} className={classes.quote}>
          {said}
        </blockquote>
      ))}
      {version.warnings.map((warning) => (
        <p key={`${warning.code}.${warning.path}`} className={classes.facts}>
          {t("world.notDone", { ...warning })}
        </p>
      ))}
      {!fixed && version.changes.length > 0 && (
        <Button
          variant="subtle"
          className={classes.plain}
          loading={revert.isPending}
          onClick={() => revert.mutate()}
        >
          {t("world.revert")}
        </Button>
      )}
      {revert.error !== null && <ErrorNote error={revert.error} />}
    </li>
  );
}
