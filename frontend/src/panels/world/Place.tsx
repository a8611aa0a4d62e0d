/** One place of the ledger: its value, whether it is claimed, what it rests on, its lock. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/IconButton";
import { InPlace } from "../InPlace";
import classes from "../Panels.module.css";
import { Ground } from "./Ground";
import { Lock } from "./Lock";
import { useBook } from "./ledger";
import { dotted, lockOf, type Patch, type Path, patchAt } from "./places";

interface PlaceProps {
  path: Path;
  label: string;
  value: string;
  /** The value to write for a text; the text itself if left out. */
  read?: (text: string) => Patch[string];
  hint?: string;
}

export function Place({ path, label, value, read, hint }: PlaceProps) {
  const { t } = useTranslation();
  const { project, ledger, fixed, edit, doubted, only } = useBook();
  const [open, setOpen] = useState(false);
  const spelling = dotted(path);
  const ground = ledger.grounds[spelling];
  const claimed = ledger.claimed.includes(spelling);
  const marked = doubted.has(spelling);
  if (only && !marked) return null;
  return (
    <>
      <InPlace
        id={`${project}.ledger.${spelling}`}
        label={label}
        value={value}
        fixed={fixed}
        {...(hint === undefined ? {} : { hint })}
        save={(text) => edit(patchAt(path, read === undefined ? text : read(text)))}
        tools={
          <>
            {ground !== undefined && (
              <IconButton
                icon="book"
                label={t("world.evidenceOf", { name: label })}
                pressed={open}
                onClick={() => setOpen(!open)}
              />
            )}
            {(value !== "" || lockOf(path, ledger.locked) !== null) && (
              <Lock path={path} label={label} />
            )}
          </>
        }
      >
        {value === "" ? (
          <span className={classes.facts}>{t("world.none")}</span>
        ) : (
          <span className={claimed ? classes.claimed : undefined}>{value}</span>
        )}
        {claimed && <span className={classes.word}>{t("world.claimed")}</span>}
        {marked && <span className={classes.mark}>{t("world.marked")}</span>}
      </InPlace>
      {open && ground !== undefined && (
        <Ground project={project} path={spelling} ground={ground} doubted={marked} />
      )}
    </>
  );
}
