/** A name for a turn, to come back to. */
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Map.module.css";

interface NameItProps {
  project: Project;
  turn: string;
  number: number;
}

export function NameIt({ project, turn, number }: NameItProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const make = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim() || t("stage.turn", { n: number }), turn };
      await told(
        api.POST("/api/projects/{project_id}/saves", {
          params: { path: { project_id: project.id } },
          body,
        }),
      );
      setName("");
      await queries.invalidateQueries({ queryKey: keys.project(project.id) });
    },
  });
  return (
    <>
      <form
        className={classes.naming}
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <TextInput
          label={t("stage.saveName", { n: number })}
          placeholder={t("stage.turn", { n: number })}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={make.isPending}>
          {t("common.save")}
        </Button>
      </form>
      {make.error !== null && <ErrorNote error={make.error} />}
    </>
  );
}
