/** Standing at another node of the story, with the way back; apart because the preview and the saves both
 * go there. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project } from "@/api/types";
import { toast } from "@/ui/toasts";

export function useGoThere(project: Project) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const path = { params: { path: { project_id: project.id } } };

  async function move(turn: string): Promise<void> {
    const body = { turn, force: false };
    await told(api.POST("/api/projects/{project_id}/head", { ...path, body }));
    await queries.invalidateQueries({ queryKey: keys.project(project.id) });
  }

  const back = useMutation({ mutationFn: move });
  return useMutation({
    mutationFn: async ({ turn, number }: { turn: string; number: number }) => {
      const before = project.head;
      await move(turn);
      toast({
        text: t("stage.standingAt", { n: number }),
        action: { label: t("stage.goBack"), run: () => back.mutate(before) },
      });
      go(`/p/${project.id}`);
    },
  });
}
