/** A button that is an icon: it always has a name, which is also its tooltip. */
import { ActionIcon, Tooltip } from "@mantine/core";
import type { MouseEventHandler, Ref } from "react";
import { Icon, type IconName } from "./icons";

interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  disabled?: boolean;
  pressed?: boolean;
  /** The one action of its view. */
  primary?: boolean;
  /** Edge of the button in pixels; 44 where fingers reach for it. */
  size?: number;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({
  icon,
  label,
  onClick,
  disabled,
  pressed,
  size,
  primary,
  ref,
}: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        ref={ref ?? null}
        aria-label={label}
        aria-pressed={pressed}
        data-disabled={disabled || undefined}
        disabled={disabled ?? false}
        onClick={onClick}
        size={size ?? 36}
        variant={primary ? "filled" : "subtle"}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}
