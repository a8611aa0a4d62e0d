/** One of many things chosen by its name: a select of the newest, and a box that finds the others. */
import { NativeSelect } from "@mantine/core";
import { useRef } from "react";
import { Look } from "./Look";
import classes from "./Pick.module.css";
import { type Kind, useNames } from "./useNames";

interface PickProps {
  kind: Kind;
  label: string;
  /** The label is for who does not see it. */
  quiet?: boolean;
  /** What stands for no choice. */
  none: string;
  /** The id of what is chosen, or with `byName` its name; empty for nothing. */
  value: string;
  onChange: (value: string) => void;
  byName?: boolean;
  /** What is not offered. */
  without?: ReadonlySet<string>;
  /** Nothing is shown where there is nothing to choose. */
  orNothing?: boolean;
}

export function Pick(props: PickProps) {
  const { kind, label, none, value, onChange, quiet, byName, without, orNothing } = props;
  const names = useNames(kind);
  const seen = useRef(new Map<string, string>());
  const found = new Map<string, string>();
  for (const { id, name } of names.names) {
    const key = byName === true ? name : id;
    seen.current.set(key, name);
    if (without?.has(key) !== true) found.set(key, name);
  }
  // What is chosen stays, though other words are looked for.
  if (value !== "" && !found.has(value)) found.set(value, seen.current.get(value) ?? value);
  if (orNothing === true && found.size === 0 && !names.any) return null;
  return (
    <div className={classes.pick}>
      <NativeSelect
        {...(quiet === true ? { "aria-label": label } : { label })}
        value={value}
        data={[
          { value: "", label: none },
          ...[...found].map(([key, name]) => ({ value: key, label: name })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Look names={names} of={label} />
    </div>
  );
}
