/** A difference by words: what came is underlined, what went is dotted and not struck through; both are
 * also said to those who listen. */
import { useTranslation } from "react-i18next";
import classes from "./WordDiff.module.css";

const AROUND = 40;

/** What the server tells: two texts, and spans that cover both. */
interface Compared {
  from: { text: string };
  to: { text: string };
  spans: readonly {
    kind: "kept" | "deleted" | "inserted";
    from: readonly number[];
    to: readonly number[];
  }[];
}

interface WordDiffProps {
  diff: Compared;
  /** Long stretches that both have are folded to their edges. */
  folded?: boolean;
}

export function WordDiff({ diff, folded }: WordDiffProps) {
  const { t } = useTranslation();
  const same = diff.spans.every((span) => span.kind === "kept");
  if (same) return <p className={classes.same}>{t("common.noDifference")}</p>;
  return (
    <div className={`prose ${classes.diff}`}>
      {diff.spans.map((span, at) => {
        const old = diff.from.text.slice(...span.from);
        const now = diff.to.text.slice(...span.to);
        const key = `${span.from[0]}.${span.to[0]}`;
        if (span.kind === "deleted") {
          return (
            <del key={key}>
              <span className="only-spoken">{t("common.deleted")}</span>
              {old}
            </del>
          );
        }
        if (span.kind === "inserted") {
          return (
            <ins key={key}>
              <span className="only-spoken">{t("common.inserted")}</span>
              {now}
            </ins>
          );
        }
        const ends = { first: at === 0, last: at === diff.spans.length - 1 };
        return <span key={key}>{folded ? edges(now, ends) : now}</span>;
      })}
    </div>
  );
}

function edges(text: string, { first, last }: { first: boolean; last: boolean }): string {
  const before = first ? 0 : AROUND;
  const after = last ? 0 : AROUND;
  if (text.length <= before + after + 20) return text;
  return `${text.slice(0, before)} … ${after === 0 ? "" : text.slice(-after)}`;
}
