/** What the story remembers: searched and listed, how each source stands, what a model would change. */
import { Button, NativeSelect, Switch, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "../Panels.module.css";
import type { PanelProps } from "../registry";
import { useAtHead } from "../world/ledger";
import { AddNote } from "./AddNote";
import { NoteRow } from "./NoteRow";
import { type Memory, SOURCES, type Source, useNotes } from "./notes";
import { Proposed } from "./Proposed";
import { Summary } from "./Summary";

const PAUSE_MS = 250;

export default function MemoryPanel({ project, turn }: PanelProps) {
  const { t } = useTranslation();
  const head = useAtHead(project, turn);
  const [words, setWords] = useState("");
  const [source, setSource] = useState<Source | null>(null);
  const [removed, setRemoved] = useState(false);
  const [wanted] = useDebouncedValue(words.trim(), PAUSE_MS);
  const found = useNotes(project, { turn, wanted, source, removed });
  const first = found.data?.pages[0];
  return (
    <>
      <Summary project={project} turn={turn} fixed={!head} />
      <div className={classes.form}>
        <TextInput
          type="search"
          label={t("memory.find")}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <NativeSelect
          label={t("memory.source")}
          value={source ?? ""}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setSource(SOURCES.find((one) => one === chosen) ?? null);
          }}
          data={[
            { value: "", label: t("memory.all") },
            ...SOURCES.map((one) => ({ value: one, label: t(`memory.sources.${one}`) })),
          ]}
        />
        <Switch
          label={t("memory.removed")}
          checked={removed}
          onChange={(event) => setRemoved(event.currentTarget.checked)}
        />
      </div>
      {head && <AddNote project={project} />}
      {found.error !== null && (
        <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      )}
      {first === undefined && found.error === null && <Pending />}
      {first !== undefined && (
        <>
          <Sources sources={first.sources} />
          {first.proposed.map((one) => (
            <Proposed
              key={`${one.note}.${one.version}`}
              project={project}
              at={first.at}
              proposal={one}
            />
          ))}
          <Notes pages={found.data?.pages ?? []} project={project} fixed={!head} wanted={wanted} />
        </>
      )}
      {found.hasNextPage && (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {t("world.older")}
        </Button>
      )}
    </>
  );
}

interface NotesProps {
  pages: readonly Memory[];
  project: string;
  fixed: boolean;
  wanted: string;
}

function Notes({ pages, project, fixed, wanted }: NotesProps) {
  const { t } = useTranslation();
  const notes = pages.flatMap((page) => page.items);
  if (notes.length === 0) {
    const word = wanted === "" ? t("memory.none") : t("memory.noneLike", { wanted });
    return (
      <p className={classes.facts} role="status">
        {word}
      </p>
    );
  }
  return (
    <ul className={classes.list}>
      {notes.map((note) => (
        <NoteRow
          key={note.id}
          note={note}
          project={project}
          at={pages[0]?.at ?? ""}
          fixed={fixed}
        />
      ))}
    </ul>
  );
}

/** So that "not found" is not taken for "not there". */
function Sources({ sources }: { sources: Memory["sources"] }) {
  const { t } = useTranslation();
  const told = SOURCES.map(
    (one) => `${t(`memory.sources.${one}`)} ${t(`memory.states.${sources[one]}`)}`,
  );
  return <p className={classes.facts}>{told.join(" · ")}</p>;
}
