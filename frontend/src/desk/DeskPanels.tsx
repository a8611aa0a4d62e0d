/** Where a panel of the desk is shown: at the side of a wide window, over the lower part of a narrow one.
 * Back closes it. */
import { Drawer } from "@mantine/core";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Boundary } from "@/app/Boundary";
import { useParam } from "@/app/param";
import { useEscape } from "@/ui/escape";
import { Pending } from "@/ui/Pending";
import { useWide } from "@/ui/useWide";
import { useDesk } from "./desk";
import { DESK_PANELS } from "./panels";

export function DeskPanels() {
  const { t } = useTranslation();
  const { project } = useDesk();
  const wide = useWide();
  const [open, setOpen] = useParam("panel");
  const panel = DESK_PANELS.find((one) => one.id === open);
  const close = () => setOpen(null);
  useEscape(panel !== undefined, close);
  if (panel === undefined) return null;
  const { component: Content } = panel;
  return (
    <Drawer
      opened
      onClose={close}
      closeOnEscape={false}
      position={wide ? "right" : "bottom"}
      size={wide ? 520 : "85%"}
      title={t(`desk.panel.${panel.id}`)}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Boundary key={panel.id}>
        <Suspense fallback={<Pending />}>
          <Content project={project} />
        </Suspense>
      </Boundary>
    </Drawer>
  );
}
