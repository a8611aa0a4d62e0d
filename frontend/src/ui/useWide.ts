/** Whether the window is wide enough for rail and side panel (62 em: 992 px at the usual size). */
import { useMediaQuery } from "@mantine/hooks";

export function useWide(): boolean {
  return useMediaQuery("(min-width: 62em)", undefined, { getInitialValueInEffect: false }) ?? false;
}
