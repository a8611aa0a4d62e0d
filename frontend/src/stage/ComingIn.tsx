/** An old chat that is still becoming turns: how far it has come, and its last messages to read. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { ChatTold } from "@/api/types";
import classes from "./Stage.module.css";

const EVERY_MS = 2000;

export function ComingIn({ project }: { project: string }) {
  const { t } = useTranslation();
  const chat = useComingIn(project);
  if (chat === undefined) return null;
  return (
    <section
      ref={toItsEnd}
      className={classes.coming}
      aria-label={t("stage.comingEnd")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
      tabIndex={0}
    >
      <p className={classes.facts} role="status">
        {t("stage.coming", { done: chat.done, total: chat.total })}
      </p>
      {chat.end.map((one) => (
        <p key={`${one.role} ${one.text}`} className={classes.comingSaid}>
          <strong>{one.name}</strong> {one.text}
        </p>
      ))}
    </section>
  );
}

function toItsEnd(box: HTMLElement | null): void {
  if (box !== null) box.scrollTop = box.scrollHeight;
}

/** The chat that is on its way, looked at again until it is there. */
function useComingIn(project: string): ChatTold | undefined {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: [...keys.project(project), "chats"],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/chats", { params: { path: { project_id: project } } }),
      ),
    refetchInterval: ({ state }) => (state.data?.items.some(isComing) ? EVERY_MS : false),
  });
  const coming = found.data?.items.find(isComing);
  const came = useRef(false);
  useEffect(() => {
    if (came.current && coming === undefined) {
      void queries.invalidateQueries({ queryKey: keys.project(project) });
    }
    came.current = coming !== undefined;
  }, [coming, project, queries]);
  return coming;
}

function isComing(chat: ChatTold): boolean {
  return chat.state === "waiting" || chat.state === "running";
}
