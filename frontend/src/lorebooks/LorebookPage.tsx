/** A lorebook: its entries to be read, searched and sorted, and the box that tests a text on them. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearch } from "wouter";
import { useParam } from "@/app/param";
import type { ScreenProps } from "@/app/routes";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import { useWide } from "@/ui/useWide";
import { EntryList } from "./EntryList";
import { EntryView } from "./EntryView";
import classes from "./Lorebooks.module.css";
import { TestBox } from "./TestBox";
import { type BookPlace, useEntries } from "./useEntries";

export default function LorebookPage({ params }: ScreenProps) {
  const { t } = useTranslation();
  const ofCard = new URLSearchParams(useSearch()).get("of") === "card";
  const place: BookPlace = { id: params.id ?? "", ofCard };
  const wide = useWide();
  const found = useEntries(place);
  const [entry, openEntry] = useParam("entry");
  const [test, openTest] = useParam("test");
  const book = found.data;
  const open = book?.items.find((one) => String(one.uid) === entry);
  return (
    <PageBody
      title={book?.name || t(ofCard ? "lorebooks.ofCard" : "lorebooks.title")}
      wide
      tools={
        <>
          <Button
            component={Link}
            href={ofCard ? `/library/cards/${place.id}` : "/library/lorebooks"}
            variant="subtle"
          >
            {t("common.back")}
          </Button>
          {!wide && <Button onClick={() => openTest("1")}>{t("lorebooks.test")}</Button>}
        </>
      }
    >
      <div className={classes.columns}>
        <div className={classes.entries}>
          {found.isPending && <Pending />}
          {found.error !== null && (
            <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
          )}
          {book !== undefined && book.items.length === 0 && <Empty text={t("lorebooks.empty")} />}
          {book !== undefined && book.items.length > 0 && (
            <EntryList entries={book.items} open={entry} onOpen={openEntry} />
          )}
        </div>
        {open !== undefined && (
          <Side title={open.title || t("lorebooks.untitled")} onClose={() => openEntry(null)}>
            <EntryView entry={open} />
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
