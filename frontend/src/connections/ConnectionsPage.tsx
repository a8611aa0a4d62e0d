/** Connections: those there are, with what each can do; a key is pasted, tested at once and never shown
 * again. */
import { Button, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import { AddConnection } from "./AddConnection";
import classes from "./Connections.module.css";
import { One } from "./One";

export default function ConnectionsPage() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const known = useQuery({
    queryKey: keys.connections,
    queryFn: () => told(api.GET("/api/connections")),
  });
  const find = useMutation({
    mutationFn: () => told(api.POST("/api/connections/find")),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.connections }),
  });
  const items = known.data?.items ?? [];
  return (
    <PageBody
      title={t("connections.title")}
      tools={
        <Button loading={find.isPending} onClick={() => find.mutate()}>
          {t("connections.find")}
        </Button>
      }
    >
      <Stack gap="lg">
        {known.isPending && <Pending />}
        {known.error !== null && (
          <ErrorNote error={known.error} onRetry={() => void known.refetch()} />
        )}
        {find.error !== null && <ErrorNote error={find.error} />}
        {find.data !== undefined && find.data.items.length === 0 && (
          <p className={classes.facts} role="status">
            {t("connections.foundNone")}
          </p>
        )}
        {known.data !== undefined && items.length === 0 && <Empty text={t("connections.empty")} />}
        {items.length > 0 && (
          <ul className={classes.list}>
            {items.map((one) => (
              <li key={one.name}>
                <One one={one} />
              </li>
            ))}
          </ul>
        )}
        <AddConnection taken={items.map((one) => one.name)} />
      </Stack>
    </PageBody>
  );
}
