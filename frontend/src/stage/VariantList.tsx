/** All tellings of the same words, each in full, with its model and what can be done with it. */
import { Button, Modal, Stack } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PathItem } from "@/api/types";
import { Prose } from "@/reading/Prose";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { Pending } from "@/ui/Pending";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { unfinished } from "./transcript";
import { useTurn } from "./useElapsed";
import { useShowVariant } from "./useShowVariant";
import { useMoves } from "./verbs";

export function VariantList({ item, onClose }: { item: PathItem; onClose: () => void }) {
  const { t } = useTranslation();
  const { all, show } = useShowVariant(item);
  useEscape(true, onClose);
  // Where one stands is known when all before it have their height.
  const [read, setRead] = useState(0);
  const onRead = useCallback(() => setRead((count) => count + 1), []);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      size="lg"
      title={t("stage.variantsOf", { n: item.number })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="lg">
        {all.map((turn, at) => (
          <One
            key={turn}
            turn={turn}
            at={at}
            here={turn === item.id}
            sought={turn === item.id && read >= all.length}
            onRead={onRead}
            onShow={() => {
              show(at);
              onClose();
            }}
          />
        ))}
      </Stack>
    </Modal>
  );
}

interface OneProps {
  turn: string;
  at: number;
  here: boolean;
  /** To be brought into view. */
  sought: boolean;
  onRead: () => void;
  onShow: () => void;
}

function One({ turn, at, here, sought, onRead, onShow }: OneProps) {
  const { t } = useTranslation();
  const { busy } = useStage();
  const known = useTurn(turn);
  const clipboard = useClipboard({ timeout: 2000 });
  const { remove } = useMoves();
  const place = useRef<HTMLElement>(null);
  const read = known.data !== undefined;
  useEffect(() => {
    if (read) onRead();
  }, [read, onRead]);
  useEffect(() => {
    if (sought) place.current?.scrollIntoView({ block: "start" });
  }, [sought]);
  if (known.data === undefined) return <Pending lines={3} />;
  const { final_text, draft, status, usage, kind } = known.data;
  const text = final_text || draft.text;
  const calls = Array.isArray(usage.calls) ? usage.calls : [];
  const models = new Set(calls.map((call: { model?: string }) => call.model ?? ""));
  return (
    <section ref={place} className={classes.variant} data-here={here || undefined}>
      <header className={classes.buttons}>
        <strong>{at + 1}</strong>
        <span className={classes.facts}>
          {[...models].filter(Boolean).join(", ")}
          {unfinished(status) && ` · ${t(`stage.is.${status}`)}`}
        </span>
      </header>
      <Prose text={text} />
      <div className={classes.buttons}>
        {!here && (
          <Button disabled={busy} onClick={onShow}>
            {t("stage.takeThis")}
          </Button>
        )}
        <Button variant="subtle" onClick={() => clipboard.copy(text)}>
          {clipboard.copied ? t("common.copied") : t("common.copy")}
        </Button>
        {kind === "turn" && !here && (
          <Button variant="subtle" disabled={busy} onClick={() => remove.mutate(turn)}>
            {t("stage.deleteVariant")}
          </Button>
        )}
      </div>
      {remove.error !== null && <ErrorNote error={remove.error} />}
    </section>
  );
}
