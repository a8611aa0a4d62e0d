/** The request byte for byte as it was sent, and the answer as it was kept. */
import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { amount } from "@/ui/amounts";
import type { Call } from "./call";
import classes from "./Inspector.module.css";

const FIRST = 20_000;

export function Raw({ call }: { call: Call }) {
  const { t } = useTranslation();
  const { item } = call;
  const reply = item.reply === null ? "" : JSON.stringify(item.reply, null, 2);
  return (
    <>
      <Text name={t("inspector.request", { n: amount(item.request_bytes) })} text={item.request} />
      {reply !== "" && <Text name={t("inspector.reply")} text={reply} />}
    </>
  );
}

function Text({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(text.length <= FIRST);
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <div>
      <h2 className={classes.heading}>{name}</h2>
      <div className={classes.rawTools}>
        <Button size="xs" onClick={() => clipboard.copy(text)}>
          {clipboard.copied ? t("common.copied") : t("common.copy")}
        </Button>
        {!whole && (
          <Button size="xs" onClick={() => setWhole(true)}>
            {t("inspector.whole")}
          </Button>
        )}
      </div>
      <pre className={classes.raw}>{whole ? text : `${text.slice(0, FIRST)}…`}</pre>
    </div>
  );
}
