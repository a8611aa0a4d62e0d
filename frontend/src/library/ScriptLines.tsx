/** Scripts to be read: what each looks for, what it puts there, where. All as plain text. */
import { useTranslation } from "react-i18next";
import classes from "./Sheet.module.css";
import type { ScriptSet } from "./types";

type Script = ScriptSet["scripts"][number];

export function ScriptLines({ scripts }: { scripts: readonly Script[] }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.lines}>
      {scripts.map((one, place) => (
        // Scripts may have the same name; their order is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <li key={place}>
          <details>
            <summary>
              {one.name || t("library.unnamed")}
              <span className={classes.facts}>
                {" "}
                · {one.disabled ? t("library.off") : t(`library.acts.${actsOn(one)}`)}
              </span>
            </summary>
            <pre className={classes.raw}>
              {`/${one.pattern}/${one.flags}\n→ ${one.replacement}`}
            </pre>
            <p className={classes.facts}>{one.placements.join(" · ")}</p>
          </details>
          {one.unsupported !== null && (
            <p className={classes.facts}>{t("library.unsupported", { why: one.unsupported })}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

function actsOn(one: Script): "display" | "prompt" | "both" | "stored" {
  if (one.display && one.prompt) return "both";
  if (one.display) return "display";
  return one.prompt ? "prompt" : "stored";
}
