/** The button in a story's bar that opens the side panels, at the one that was open last. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useParam } from "@/app/param";
import { IconButton } from "@/ui/IconButton";

export function PanelButtons() {
  const { t } = useTranslation();
  const [open, setOpen] = useParam("panel");
  const [last, setLast] = useState("world");
  useEffect(() => {
    if (open !== null) setLast(open);
  }, [open]);
  return (
    <IconButton
      icon="panel"
      label={t("panels.title")}
      pressed={open !== null}
      onClick={() => setOpen(open === null ? last : null)}
    />
  );
}
