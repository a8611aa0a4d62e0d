/** A story made into a writing project: its prose becomes chapters. The story stays as it is. */
import { Button, Checkbox, Radio, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { useStage } from "./stage";

export default function BookSheet() {
  const { t } = useTranslation();
  const { project } = useStage();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [title, setTitle] = useState(project.title);
  const [form, setForm] = useState<"turns" | "merged">("turns");
  const [words, setWords] = useState(false);
  const make = useMutation({
    mutationFn: () =>
      told(
        api.POST("/api/projects/{project_id}/manuscript", {
          params: { path: { project_id: project.id } },
          body: { title: title.trim(), form, words },
        }),
      ),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: keys.projects });
      go(`/p/${made.id}`);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack>
        <p>{t("manuscript.makeBookNote")}</p>
        <TextInput
          label={t("manuscript.bookTitle")}
          maxLength={500}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Radio.Group
          label={t("manuscript.chapterFor")}
          value={form}
          onChange={(value) => setForm(value === "merged" ? "merged" : "turns")}
        >
          <Stack gap="xs" pt="xs">
            <Radio value="turns" label={t("manuscript.perTurn")} />
            <Radio value="merged" label={t("manuscript.merged")} />
          </Stack>
        </Radio.Group>
        <Checkbox
          label={t("manuscript.withWords")}
          checked={words}
          onChange={(event) => setWords(event.currentTarget.checked)}
        />
        {make.error !== null && <ErrorNote error={make.error} />}
        <Button type="submit" variant="filled" loading={make.isPending}>
          {t("manuscript.make")}
        </Button>
      </Stack>
    </form>
  );
}
