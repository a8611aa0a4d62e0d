/** The look of Mantine's parts, painted with the roles of reading/papers.css: papers change under it
 * without the theme being built again. */
import {
  ActionIcon,
  Button,
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  Menu,
  Modal,
  Radio,
  Tooltip,
  type VariantColorsResolver,
} from "@mantine/core";

/** Switches, sliders and marks are of ink: the action colour is for one button a view. */
const INK: MantineColorsTuple = [
  "#f2f0ec",
  "#dcd8d0",
  "#c4bfb5",
  "#a09c93",
  "#837f77",
  "#66625a",
  "#4a4740",
  "#35322d",
  "#23211d",
  "#17181b",
];

const variantColorResolver: VariantColorsResolver = (input) => {
  const usual = defaultVariantColorsResolver(input);
  if (input.variant !== "filled") return usual;
  const hover = "var(--action-hover)";
  return { ...usual, background: "var(--action)", hover, color: "var(--on-action)" };
};

export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 8, dark: 1 },
  colors: { ink: INK },
  variantColorResolver,
  fontFamily: "var(--face-ui)",
  fontSizes: { xs: "13px", sm: "14px", md: "16px", lg: "20px", xl: "20px" },
  lineHeights: { xs: "1.5", sm: "1.5", md: "1.5", lg: "1.5", xl: "1.5" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "1.5" },
      h2: { fontSize: "16px", lineHeight: "1.5" },
      h3: { fontSize: "14px", lineHeight: "1.5" },
    },
  },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "4px", sm: "8px", md: "8px", lg: "12px", xl: "12px" },
  defaultRadius: "sm",
  shadows: { xs: "none", sm: "none", md: "none", lg: "none", xl: "none" },
  respectReducedMotion: true,
  components: {
    // One filled button a view: whoever wants it asks for it.
    Button: Button.extend({ defaultProps: { variant: "default", size: "sm" } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", size: 32 } }),
    // What is ticked is filled with ink: its mark is of the paper, by day and by night.
    Checkbox: Checkbox.extend({ defaultProps: { radius: "xs", iconColor: "var(--page)" } }),
    Radio: Radio.extend({ defaultProps: { iconColor: "var(--page)" } }),
    // The first item has the focus; an empty part before the items would be none of them.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { radius: "md", centered: true } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 400, withArrow: false },
      vars: () => ({
        tooltip: { "--tooltip-bg": "var(--narration)", "--tooltip-color": "var(--page)" },
      }),
    }),
  },
});

const ROLES = {
  "--mantine-color-body": "var(--page)",
  "--mantine-color-text": "var(--narration)",
  "--mantine-color-bright": "var(--narration)",
  "--mantine-color-dimmed": "var(--system)",
  "--mantine-color-placeholder": "var(--system)",
  "--mantine-color-anchor": "var(--user)",
  "--mantine-color-error": "var(--action)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-hover": "var(--sunken)",
  "--mantine-color-default-color": "var(--narration)",
  "--mantine-color-default-border": "var(--line)",
  "--mantine-color-disabled": "var(--sunken)",
  "--mantine-color-disabled-color": "var(--system)",
  "--mantine-color-ink-filled": "var(--narration)",
  "--mantine-color-ink-filled-hover": "var(--system)",
  "--mantine-color-ink-text": "var(--narration)",
  "--mantine-color-ink-light": "var(--sunken)",
  "--mantine-color-ink-light-hover": "var(--line)",
  "--mantine-color-ink-light-color": "var(--narration)",
  "--mantine-color-ink-outline": "var(--narration)",
  "--mantine-color-ink-outline-hover": "var(--sunken)",
  "--mantine-primary-color-contrast": "var(--page)",
  // The greys of the library, which parts use by number: tracks, grounds, lines, faint words.
  "--mantine-color-gray-0": "var(--sunken)",
  "--mantine-color-gray-1": "var(--sunken)",
  "--mantine-color-gray-2": "var(--line)",
  "--mantine-color-gray-3": "var(--line)",
  "--mantine-color-gray-4": "var(--line)",
  "--mantine-color-gray-5": "var(--system)",
  "--mantine-color-gray-6": "var(--system)",
  "--mantine-color-gray-7": "var(--narration)",
  "--mantine-color-dark-0": "var(--narration)",
  "--mantine-color-dark-1": "var(--narration)",
  "--mantine-color-dark-2": "var(--system)",
  "--mantine-color-dark-3": "var(--system)",
  "--mantine-color-dark-4": "var(--line)",
  "--mantine-color-dark-5": "var(--line)",
  "--mantine-color-dark-6": "var(--surface)",
  "--mantine-color-dark-7": "var(--page)",
  "--mantine-color-dark-8": "var(--sunken)",
};

// "White" is a ground on light papers and ink on dark ones.
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...ROLES, "--mantine-color-white": "var(--surface)" },
  dark: { ...ROLES, "--mantine-color-white": "var(--narration)" },
});
