/** The edge of the side panel: dragged, or moved with the arrow keys; its place is remembered. */
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { prefer, RANGES, usePreferences } from "@/reading/preferences";
import classes from "./PanelHost.module.css";

const STEP = 20;

export function Resizer() {
  const { t } = useTranslation();
  const { panelWidth } = usePreferences();
  const from = useRef<{ x: number; width: number } | null>(null);
  const [least, most] = RANGES.panelWidth;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved has no element of its own
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t("common.resize")}
      aria-valuenow={panelWidth}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      className={classes.resizer}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width: panelWidth };
      }}
      onPointerMove={(event) => {
        if (from.current === null) return;
        prefer({ panelWidth: Math.round(from.current.width + from.current.x - event.clientX) });
      }}
      onPointerUp={() => {
        from.current = null;
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") prefer({ panelWidth: panelWidth + STEP });
        if (event.key === "ArrowRight") prefer({ panelWidth: panelWidth - STEP });
      }}
    />
  );
}
