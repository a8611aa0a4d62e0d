/** What was sent to a model in a turn and what came back: a list of its calls, and one of them in full. */
import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ProjectFrame } from "@/app/ProjectFrame";
import { useParam } from "@/app/param";
import type { ScreenProps } from "@/app/routes";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Icon } from "@/ui/icons";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import { CallDetail } from "./CallDetail";
import { CallList } from "./CallList";
import { type Call, readCall } from "./call";
import classes from "./Inspector.module.css";

const PAGE = 25;

export default function InspectorPage({ params }: ScreenProps) {
  const { t } = useTranslation();
  const { id = "", turn = "" } = params;
  const shown = useQuery(turnQuery(turn));
  const number = shown.data?.number;
  return (
    <ProjectFrame project={id} turn={turn}>
      <PageBody
        wide
        title={number === undefined ? t("inspector.title") : t("inspector.titleOf", { n: number })}
        tools={
          <>
            <Link className={classes.link} href={`/p/${id}/inspect/${turn}?panel=lore`}>
              {t("panels.lore")}
            </Link>
            <Link className={classes.link} href={`/p/${id}/t/${turn}`}>
              <Icon name="back" size={18} />
              {t("inspector.toStory")}
            </Link>
          </>
        }
      >
        <Calls key={turn} turn={turn} parent={shown.data?.parent ?? null} />
      </PageBody>
    </ProjectFrame>
  );
}

function turnQuery(turn: string) {
  return {
    queryKey: keys.turn(turn),
    queryFn: () => told(api.GET("/api/turns/{turn_id}", { params: { path: { turn_id: turn } } })),
  };
}

function Calls({ turn, parent }: { turn: string; parent: string | null }) {
  const { t } = useTranslation();
  const [chosen, choose] = useParam("call");
  const trace = useInfiniteQuery({
    queryKey: keys.trace(turn),
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/turns/{turn_id}/trace", {
          params: {
            path: { turn_id: turn },
            query: { limit: PAGE, ...(pageParam === null ? {} : { after: pageParam }) },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
  const calls: readonly Call[] = useMemo(
    () => (trace.data?.pages ?? []).flatMap((page) => page.items).map(readCall),
    [trace.data],
  );
  if (trace.error !== null) {
    return <ErrorNote error={trace.error} onRetry={() => void trace.refetch()} />;
  }
  if (trace.data === undefined) return <Pending />;
  const open = calls.find((one) => one.item.id === chosen) ?? calls[0];
  if (open === undefined) return <Empty text={t("inspector.none")} />;
  return (
    <div className={classes.columns}>
      <div className={classes.list}>
        <CallList calls={calls} open={open.item.id} onOpen={choose} />
        {trace.hasNextPage && (
          <Button loading={trace.isFetchingNextPage} onClick={() => void trace.fetchNextPage()}>
            {t("inspector.moreCalls")}
          </Button>
        )}
      </div>
      <CallDetail key={open.item.id} call={open} calls={calls} parent={parent} />
    </div>
  );
}
