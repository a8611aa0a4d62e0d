/** Moving in: a folder of this machine is looked at, what comes in is chosen, and the move is followed to its
 * report. The folder and the move stand in the address. */
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useParam } from "@/app/param";
import type { ScreenProps } from "@/app/routes";
import { Icon } from "@/ui/icons";
import { PageBody } from "@/ui/PageBody";
import { Before } from "./Before";
import { Folder } from "./Folder";
import { Found } from "./Found";
import { Move } from "./Move";
import classes from "./Moving.module.css";

export default function MovePage({ params }: ScreenProps) {
  const { t } = useTranslation("moving");
  const [folder, setFolder] = useParam("folder");
  const move = params.move;
  const back = (
    <Link className={classes.back} href="/library/cards">
      <Icon name="library" />
      {t("library")}
    </Link>
  );
  return (
    <PageBody title={t("title")} tools={back}>
      {move !== undefined ? (
        <Move key={move} id={move} />
      ) : (
        <div className={classes.room}>
          <p>{t("about")}</p>
          <Folder key={folder ?? ""} folder={folder ?? ""} onLook={setFolder} />
          {folder !== null && <Found key={folder} folder={folder} />}
          <Before />
        </div>
      )}
    </PageBody>
  );
}
