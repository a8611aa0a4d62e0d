/** A lorebook: its entries to be searched, sorted and written, and the box that tests a text on them. */
import { Button } from "@mantine/core";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearch } from "wouter";
import { useParam } from "@/app/param";
import type { ScreenProps } from "@/app/routes";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import type { IconName } from "@/ui/icons";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import { useWide } from "@/ui/useWide";
import { BookSide } from "./BookSide";
import { BulkBar } from "./BulkBar";
import { EntryEditor } from "./EntryEditor";
import { EntryList } from "./EntryList";
import classes from "./Lorebooks.module.css";
import { TestBox } from "./TestBox";
import { addressOf, type BookPlace, useEntries } from "./useEntries";
import { type BookSeen, NEW } from "./useWriteBook";

export default function LorebookPage({ params }: ScreenProps) {
  const { t } = useTranslation();
  const ofCard = new URLSearchParams(useSearch()).get("of") === "card";
  const place: BookPlace = { id: params.id ?? "", ofCard };
  const wide = useWide();
  const found = useEntries(place);
  const book = found.data;
  const [, openEntry] = useParam("entry");
  const [test, openTest] = useParam("test");
  const [whole, openWhole] = useParam("book");
  const name = book?.name || t(ofCard ? "lorebooks.ofCard" : "lorebooks.title");
  const writable = book !== undefined && !book.past;
  return (
    <PageBody
      title={name}
      wide
      tools={
        <Tools
          back={ofCard ? `/library/cards/${place.id}` : "/library/lorebooks"}
          wide={wide}
          tools={[
            ...(writable
              ? [{ icon: "add", word: "newEntry", run: () => openEntry(NEW) } as const]
              : []),
            ...(writable && !ofCard
              ? [{ icon: "settings", word: "whole", run: () => openWhole("1") } as const]
              : []),
            ...(wide ? [] : [{ icon: "focus", word: "test", run: () => openTest("1") } as const]),
          ]}
        />
      }
    >
      <div className={classes.columns}>
        {found.isPending && <Pending />}
        {found.error !== null && (
          <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
        )}
        {book !== undefined && <Entries place={place} book={book} />}
        {writable && whole !== null && !ofCard && (
          <Side title={t("lorebooks.whole")} onClose={() => openWhole(null)}>
            <BookSide key={book.id} seen={seenAt(place, book)} name={book.name} />
          </Side>
        )}
        {wide && (
          <section className={classes.test} aria-label={t("lorebooks.test")}>
            <h2 className={classes.heading}>{t("lorebooks.test")}</h2>
            <TestBox place={place} />
          </section>
        )}
        {!wide && test !== null && (
          <Side title={t("lorebooks.test")} onClose={() => openTest(null)}>
            <TestBox place={place} />
          </Side>
        )}
      </div>
    </PageBody>
  );
}

interface ToolsProps {
  back: string;
  wide: boolean;
  tools: readonly { icon: IconName; word: "newEntry" | "whole" | "test"; run: () => void }[];
}

/** Words where there is room for them, icons where there is not. */
function Tools({ back, wide, tools }: ToolsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button component={Link} href={back} variant="subtle">
        {t("common.back")}
      </Button>
      {tools.map(({ icon, word, run }) =>
        wide ? (
          <Button key={word} onClick={run}>
            {t(`lorebooks.${word}`)}
          </Button>
        ) : (
          <IconButton
            key={word}
            icon={icon}
            label={t(`lorebooks.${word}`)}
            onClick={run}
            size={44}
          />
        ),
      )}
    </>
  );
}

type Book = NonNullable<ReturnType<typeof useEntries>["data"]>;

function seenAt(place: BookPlace, book: Book): BookSeen {
  return { place: { ...place, id: book.id }, revision: book.revision };
}

/** The list, what is chosen of it, and the one that is open. */
function Entries({ place, book }: { place: BookPlace; book: Book }) {
  const { t } = useTranslation();
  const [entry, openEntry] = useParam("entry");
  const [chosen, choose] = useState<ReadonlySet<number>>(new Set());
  const seen = seenAt(place, book);
  const open = book.items.find((one) => String(one.uid) === entry);
  const those = book.items.filter((one) => chosen.has(one.uid));
  const done = useCallback(() => choose(new Set()), []);
  return (
    <>
      <div className={classes.entries}>
        {book.past && <Past place={place} latest={book.latest} />}
        {book.items.length === 0 && <Empty text={t("lorebooks.empty")} />}
        {those.length > 0 && !book.past && <BulkBar seen={seen} chosen={those} onDone={done} />}
        {book.items.length > 0 && (
          <EntryList
            entries={book.items}
            open={entry}
            onOpen={openEntry}
            chosen={chosen}
            onChoose={choose}
            fixed={book.past}
          />
        )}
      </div>
      {open !== undefined && (
        <Side title={open.title || t("lorebooks.untitled")} onClose={() => openEntry(null)}>
          <EntryEditor key={`${book.id} ${open.uid}`} seen={seen} entry={open} />
        </Side>
      )}
      {entry === NEW && !book.past && (
        <Side title={t("lorebooks.newEntry")} onClose={() => openEntry(null)}>
          <EntryEditor seen={seen} entry={null} />
        </Side>
      )}
    </>
  );
}

function Past({ place, latest }: { place: BookPlace; latest: string }) {
  const { t } = useTranslation();
  return (
    <p role="note">
      {t("lorebooks.past")}{" "}
      {latest !== place.id && (
        <Link href={addressOf({ ...place, id: latest })}>{t("lorebooks.toLatest")}</Link>
      )}
    </p>
  );
}

interface SideProps {
  title: string;
  onClose: () => void;
  children: React.ReactNode;
}

/** A part of the page of its own: a column on a wide window, the whole of a narrow one. */
function Side({ title, onClose, children }: SideProps) {
  const { t } = useTranslation();
  const [heading, setHeading] = useState<HTMLElement | null>(null);
  useEscape(true, onClose);
  return (
    <section
      className={classes.side}
      aria-label={title}
      ref={(section) => {
        if (section !== null && heading === null) {
          setHeading(section);
          section.focus({ preventScroll: true });
        }
      }}
      tabIndex={-1}
    >
      <header className={classes.sideHead}>
        <h2 className={classes.heading}>{title}</h2>
        <IconButton icon="close" label={t("common.close")} onClick={onClose} size={44} />
      </header>
      <div className={classes.sideBody}>{children}</div>
    </section>
  );
}
