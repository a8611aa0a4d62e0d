/** Going anywhere by a few letters of its name. Loaded when it is first asked for. */
import { Modal, TextInput } from "@mantine/core";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { composing } from "@/ui/composing";
import { useEscape } from "@/ui/escape";
import classes from "./Anywhere.module.css";
import { type Destination, useDestinations } from "./destinations";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export default function Anywhere({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [, go] = useLocation();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = fitting(useDestinations(), typed);
  useEscape(true, onClose);
  useLayoutEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const goTo = (one: Destination | undefined) => {
    if (one === undefined) return;
    onClose();
    go(one.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (composing(event)) return;
    const step = STEPS[event.key];
    if (step !== undefined) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") goTo(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      size="lg"
      title={t("common.goAnywhere")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <TextInput
        className={classes.box ?? ""}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}.${at}`}
        aria-autocomplete="list"
        aria-label={t("common.goAnywhere")}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={t("common.goAnywhere")}
        className={classes.list}
      >
        {found.map((one, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the box above
          <div
            key={`${one.href} ${one.name}`}
            id={`${id}.${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            className={classes.one}
            onClick={() => goTo(one)}
          >
            <span>{one.name}</span>
            <span className={classes.kind}>{one.of}</span>
          </div>
        ))}
      </div>
      <p role="status">{found.length === 0 && t("common.goNowhere", { q: typed.trim() })}</p>
    </Modal>
  );
}

/** Each typed word is somewhere in the name or in what it belongs to; those that begin so come first. */
function fitting(all: readonly Destination[], typed: string): readonly Destination[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = all.filter(({ name, of }) => {
    const text = `${name} ${of}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = ({ name }: Destination) => name.toLowerCase().startsWith(words[0] ?? "");
  return [...fits.filter(begins), ...fits.filter((one) => !begins(one))];
}
