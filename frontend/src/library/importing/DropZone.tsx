/** Takes files dropped or pasted anywhere on the page while the library is open. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { filesOf, pasted } from "./files";
import classes from "./Importing.module.css";
import { send } from "./queue";

export function DropZone() {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  useEffect(() => listen(setOver), []);
  if (!over) return null;
  return (
    <div className={classes.over} aria-hidden="true">
      {t("library.drop")}
    </div>
  );
}

function listen(setOver: (over: boolean) => void): () => void {
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) setOver(false);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    if (event.dataTransfer === null || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    void filesOf(event.dataTransfer).then(send);
  };
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData === null || isField(event.target)) return;
    void send(pasted(event.clipboardData));
  };
  document.addEventListener("dragover", drag);
  document.addEventListener("dragleave", leave);
  document.addEventListener("drop", drop);
  document.addEventListener("paste", paste);
  return () => {
    document.removeEventListener("dragover", drag);
    document.removeEventListener("dragleave", leave);
    document.removeEventListener("drop", drop);
    document.removeEventListener("paste", paste);
  };
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
