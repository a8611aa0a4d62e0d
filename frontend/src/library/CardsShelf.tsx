/** Cards with their pictures: looked for on the server, loaded a page at a time as the end comes near. */
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { CardSheet } from "./CardSheet";
import { CardTile } from "./CardTile";
import { CardTools } from "./CardTools";
import { Ends } from "./Ends";
import classes from "./Library.module.css";
import { useLooking } from "./looking";

const PAGE = 48;

export function CardsShelf({ item }: { item: string | null }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const { looking, asked, change, clear } = useLooking();
  const shelf = useInfiniteQuery({
    queryKey: [...keys.cards, "shelf", asked],
    queryFn: ({ pageParam, signal }) =>
      told(
        api.GET("/api/cards", {
          params: { query: { ...asked, limit: PAGE, after: pageParam } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: (before) => before,
  });
  const cards = shelf.data?.pages.flatMap((page) => page.items) ?? [];
  const all = looking.q === "" && looking.tag === "" && !looking.favourite;
  return (
    <>
      <CardTools looking={looking} change={change} />
      {shelf.isPending && <Pending lines={6} />}
      {shelf.error !== null && (
        <ErrorNote error={shelf.error} onRetry={() => void shelf.refetch()} />
      )}
      {shelf.data !== undefined && cards.length === 0 && (
        <Empty text={t(all ? "library.empty.cards" : "library.none")}>
          {all ? (
            <Button variant="subtle" component={Link} href="/library/move">
              {t("library.moveIn")}
            </Button>
          ) : (
            <Button onClick={clear}>{t("library.showAll")}</Button>
          )}
        </Empty>
      )}
      <ul className={classes.grid} aria-label={t("library.found")} aria-busy={shelf.isFetching}>
        {cards.map((card) => (
          <CardTile key={card.id} card={card} />
        ))}
      </ul>
      <Ends
        more={shelf.hasNextPage && !shelf.isFetchingNextPage}
        load={() => void shelf.fetchNextPage()}
      />
      {item !== null && (
        <CardSheet key={item} id={item} onClose={() => go(`/library/cards${location.search}`)} />
      )}
    </>
  );
}
