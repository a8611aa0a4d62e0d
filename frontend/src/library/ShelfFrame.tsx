/** What lists of the library have around their rows: the box to search, and what is said of waiting, failing
 * and finding nothing. */
import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Icon } from "@/ui/icons";
import { Pending } from "@/ui/Pending";
import { Ends } from "./Ends";
import classes from "./Library.module.css";
import type { Shelf } from "./useShelf";

interface FrameProps<T> {
  shelf: Shelf<T>;
  name: string;
  placeholder: string;
  empty: string;
  /** What stands beside the box. */
  tools?: ReactNode;
  children: ReactNode;
}

export function ShelfFrame<T>(props: FrameProps<T>) {
  const { shelf, name, placeholder, empty, tools, children } = props;
  const { list, items, words, look } = shelf;
  const { t } = useTranslation();
  const bare = items.length === 0 && words === "";
  return (
    <>
      {(!bare || tools !== undefined) && (
        <search className={classes.tools}>
          {!bare && (
            <TextInput
              className={classes.search}
              type="search"
              aria-label={name}
              placeholder={placeholder}
              leftSection={<Icon name="search" size={18} />}
              value={words}
              onChange={(event) => look(event.currentTarget.value)}
            />
          )}
          {tools}
        </search>
      )}
      {list.isPending && <Pending />}
      {list.error !== null && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && items.length === 0 && (
        <Empty text={words === "" ? empty : t("library.none")} />
      )}
      <ul className={classes.list} aria-label={name} aria-busy={list.isFetching}>
        {children}
      </ul>
      <Ends
        more={list.hasNextPage && !list.isFetchingNextPage}
        load={() => void list.fetchNextPage()}
      />
    </>
  );
}
