/** Another scenario for the story from its next turn on: who performs, what stands beside it, and what it
 * would have to do without. */
import { Button, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { useStage } from "@/stage/stage";
import { useVerb } from "@/stage/verbs";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { About } from "./About";
import classes from "./Scenarios.module.css";
import { tellsStories } from "./types";

export default function ChooseScenario({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { project } = useStage();
  const { name: before } = project.scenario;
  const [chosen, choose] = useState(typeof before === "string" ? before : "");
  const found = useQuery({
    queryKey: keys.scenarios,
    queryFn: () => told(api.GET("/api/scenarios")),
  });
  const change = useVerb(() =>
    told(
      api.PATCH("/api/projects/{project_id}", {
        params: { path: { project_id: project.id } },
        body: { scenario: chosen, revision: project.revision },
      }),
    ),
  );
  if (found.error !== null) return <ErrorNote error={found.error} />;
  if (found.data === undefined) return <Pending />;
  return (
    <Stack>
      <Radio.Group
        label={t("scenarios.choose")}
        description={t("scenarios.chooseAbout")}
        value={chosen}
        onChange={choose}
      >
        <Stack mt="sm">
          {found.data.items.map(({ name, values, fault, lacks }) => (
            <Radio
              key={name}
              value={name}
              label={name}
              disabled={fault != null || !tellsStories(values)}
              description={
                <>
                  {fault != null && <span className={classes.fault}>{fault.message}</span>}
                  {values != null && <About values={values} lacks={lacks ?? []} />}
                </>
              }
            />
          ))}
        </Stack>
      </Radio.Group>
      {change.error !== null && <ErrorNote error={change.error} />}
      <Button
        variant="filled"
        disabled={chosen === before}
        loading={change.isPending}
        onClick={() => change.mutate(undefined, { onSuccess: onDone })}
      >
        {t("common.save")}
      </Button>
    </Stack>
  );
}
