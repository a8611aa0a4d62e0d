/** The sheets over a story, by the address (`?sheet=`): Back closes them. Each is loaded when it is first
 * opened. */
import { Drawer, Modal } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useParam } from "@/app/param";
import { ReadingSheet } from "@/reading/ReadingSheet";
import { useEscape } from "@/ui/escape";
import { Pending } from "@/ui/Pending";
import { useWide } from "@/ui/useWide";

const BookSheet = lazy(() => import("./BookSheet"));
const Find = lazy(() => import("./Find"));
const Revisions = lazy(() => import("./Revisions"));
const PickSentence = lazy(() => import("./PickSentence"));
const Saves = lazy(() => import("./Saves"));
const Note = lazy(() => import("./Note"));
const ChooseScenario = lazy(() => import("@/scenarios/ChooseScenario"));
const Shortcuts = lazy(() => import("./Shortcuts"));

export function Sheets() {
  const { t } = useTranslation();
  const [sheet, setSheet] = useParam("sheet");
  const close = () => setSheet(null);
  const [name, id = ""] = sheet?.split(".") ?? [];
  switch (name) {
    case "reading":
      return (
        <Side title={t("stage.reading")} onClose={close}>
          <ReadingSheet />
        </Side>
      );
    case "find":
      return (
        <Side title={t("stage.find")} onClose={close}>
          <Find />
        </Side>
      );
    case "saves":
    case "save":
      return (
        <Side title={t("stage.saves")} onClose={close}>
          <Saves turn={id === "" ? null : id} />
        </Side>
      );
    case "note":
      return (
        <Middle title={t("stage.note")} onClose={close}>
          <Note onDone={close} />
        </Middle>
      );
    case "book":
      return (
        <Middle title={t("manuscript.makeBook")} onClose={close}>
          <BookSheet />
        </Middle>
      );
    case "scenario":
      return (
        <Middle title={t("scenarios.choose")} onClose={close}>
          <ChooseScenario onDone={close} />
        </Middle>
      );
    case "keys":
      return (
        <Middle title={t("stage.shortcuts")} onClose={close}>
          <Shortcuts />
        </Middle>
      );
    case "sentence":
      return (
        <Middle title={t("stage.pickSentence")} onClose={close}>
          <PickSentence turn={id} onDone={close} />
        </Middle>
      );
    case "revisions":
      return (
        <Middle title={t("stage.revisions")} onClose={close}>
          <Revisions turn={id} />
        </Middle>
      );
    default:
      return null;
  }
}

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

function Side({ title, onClose, children }: SheetProps) {
  const { t } = useTranslation();
  const wide = useWide();
  useEscape(true, onClose);
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={false}
      position={wide ? "right" : "bottom"}
      size={wide ? 400 : "75%"}
      title={title}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Suspense fallback={<Pending />}>{children}</Suspense>
    </Drawer>
  );
}

function Middle({ title, onClose, children }: SheetProps) {
  const { t } = useTranslation();
  useEscape(true, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      size="lg"
      title={title}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Suspense fallback={<Pending />}>{children}</Suspense>
    </Modal>
  );
}
