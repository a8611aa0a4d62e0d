/** Why a folder was not looked at; where the program is not this machine's own, what to do instead. */
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Moving.module.css";

const KNOWN = ["no_installation", "nothing_to_move", "too_many_files"] as const;

export function MoveRefused({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation("moving");
  const { code } = asRefusal(error);
  if (code === "not_this_machine") return <Elsewhere />;
  const known = KNOWN.find((one) => one === code);
  const text = known === undefined ? undefined : t(`refused.${known}`);
  return <ErrorNote error={error} text={text} onRetry={onRetry} />;
}

function Elsewhere() {
  const { t } = useTranslation("moving");
  return (
    <div className={classes.elsewhere} role="alert">
      <p>{t("elsewhere")}</p>
      <p>
        {t("elsewhereFiles")} <Link href="/library/cards">{t("library")}</Link>
      </p>
      <p>
        {t("elsewhereMachine")} <code>huaben move FOLDER</code>
      </p>
    </div>
  );
}
