/** The library: one kind at a time, a bar of what is being imported, and files taken in from anywhere. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useParam } from "@/app/param";
import type { ScreenProps } from "@/app/routes";
import { PageBody } from "@/ui/PageBody";
import { CardsShelf } from "./CardsShelf";
import { ItemList } from "./ItemList";
import { DropZone } from "./importing/DropZone";
import { ImportBar } from "./importing/ImportBar";
import { ImportMenu } from "./importing/ImportMenu";
import { ImportReportSheet } from "./importing/ImportReportSheet";
import { KINDS, type Kind, kindOf } from "./kinds";
import classes from "./Library.module.css";
import { Personas } from "./Personas";
import { Scripts } from "./Scripts";
import { Trash } from "./Trash";

export default function LibraryPage({ params }: ScreenProps) {
  const { t } = useTranslation();
  const kind = kindOf(params.kind);
  const item = params.item ?? null;
  const [report, showReport] = useParam("import");
  const kinds = useKindInView(kind);
  return (
    <PageBody title={t("library.title")} tools={<ImportMenu />} wide>
      <DropZone />
      <div className={classes.room}>
        <nav ref={kinds} className={classes.kinds} aria-label={t("library.kinds")}>
          {KINDS.map((one) => (
            <Link
              key={one}
              className={classes.kind}
              href={`/library/${one}`}
              aria-current={one === kind ? "page" : undefined}
            >
              {t(`library.kind.${one}`)}
            </Link>
          ))}
        </nav>
        <ImportBar onReport={showReport} />
        {kind === "cards" && <CardsShelf item={item} />}
        {(kind === "lorebooks" || kind === "presets" || kind === "quick-replies") && (
          <ItemList key={kind} kind={kind} item={item} />
        )}
        {kind === "personas" && <Personas item={item} />}
        {kind === "scripts" && <Scripts />}
        {kind === "trash" && <Trash />}
        {report !== null && <ImportReportSheet id={report} onClose={() => showReport(null)} />}
      </div>
    </PageBody>
  );
}

/** On a phone the kinds are wider than the window: the one that is open is brought into it. */
function useKindInView(kind: Kind) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const open = row.current?.querySelector(`[href="/library/${kind}"]`);
    open?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [kind]);
  return row;
}
