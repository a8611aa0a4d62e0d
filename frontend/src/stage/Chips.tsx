/** What holds for the next turn, over the box: the author's note, where there is one. */
import { useTranslation } from "react-i18next";
import { useParam } from "@/app/param";
import classes from "./Foot.module.css";
import { useNote } from "./useNote";

export function Chips() {
  const { t } = useTranslation();
  const note = useNote();
  const [, setSheet] = useParam("sheet");
  if (note.data === undefined || note.data.text === "") return null;
  return (
    <div className={classes.chips}>
      <button type="button" className={classes.chip} onClick={() => setSheet("note")}>
        {t("stage.note")}: {note.data.text.slice(0, 24)}
        {note.data.text.length > 24 && "…"}
      </button>
    </div>
  );
}
