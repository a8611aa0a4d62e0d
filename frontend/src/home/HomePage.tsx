/** Home: the stories to go on with, newest first; without any, the two ways to begin. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import { BackupCard } from "./BackupCard";
import { Begin } from "./Begin";
import { Stories } from "./Stories";

const PAGE = 30;

export default function HomePage() {
  const { t } = useTranslation();
  const stories = useInfiniteQuery({
    queryKey: [...keys.projects, "recent"],
    queryFn: ({ pageParam }) =>
      told(api.GET("/api/projects", { params: { query: { limit: PAGE, after: pageParam } } })),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
  });
  const found = stories.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <PageBody title={t("common.name")}>
      {stories.isPending && <Pending />}
      {stories.error !== null && stories.data === undefined && (
        <ErrorNote error={stories.error} onRetry={() => void stories.refetch()} />
      )}
      {stories.data !== undefined && (
        <>
          <BackupCard />
          {found.length > 0 && (
            <Stories
              stories={found}
              more={stories.hasNextPage ? () => void stories.fetchNextPage() : undefined}
            />
          )}
          <Begin first={found.length === 0} />
        </>
      )}
    </PageBody>
  );
}
