/** The icons of the page, drawn here on a grid of 24 with one stroke. An icon is decoration: its button
 * has the name. Add a line for a new one. */

const PATHS = {
  home: "M4 11 12 4l8 7v9h-5v-6H9v6H4z",
  library: "M4 5h5v15H4zM9 5h5v15H9zM15 6l4-1 3 14-4 1z",
  plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4v6M9 14v6",
  scenario: "M5 4h14v16H5zM9 9h6M9 13h6M9 17h3",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  close: "M6 6l12 12M18 6 6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5",
  send: "M4 12 20 4l-5 16-3-7z",
  stop: "M7 7h10v10H7z",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  again: "M19 8a8 8 0 1 0 1 6M20 4v5h-5",
  undo: "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
  redo: "M15 5l5 5-5 5M20 10H10a6 6 0 0 0 0 12h3",
  returnTo: "M12 21a9 9 0 1 0-8-5M4 21v-5h5M12 8v4l3 2",
  branch: "M7 4v16M7 12c6 0 10-1 10-6M17 6V3M7 3h.01M17 3h.01",
  save: "M6 4h12v17l-6-4-6 4z",
  map: "M6 5a2 2 0 1 0 0 .01M18 9a2 2 0 1 0 0 .01M6 19a2 2 0 1 0 0 .01M6 8v8M6 12c6 0 8 0 10-2",
  panel: "M4 5h16v14H4zM14 5v14",
  world: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4 12h16M12 4c3 3 3 13 0 16M12 4c-3 3-3 13 0 16",
  people:
    "M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3 20c0-4 3-6 6-6s6 2 6 6M16 6a3 3 0 0 1 0 6M18 15c2 1 3 3 3 5",
  book: "M5 4h10a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM9 9h6M9 13h6",
  memory: "M5 5h14v4H5zM5 12h14v4H5zM5 19h14",
  plan: "M4 6h4M11 6h9M4 12h4M11 12h9M4 18h4M11 18h9",
  cost: "M4 20h16M7 20v-6M12 20V8M17 20V4",
  inspect: "M4 5h16M4 10h10M4 15h6M16 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM18 19l3 3",
  text: "M4 19 9 6l5 13M6 14h6M16 12a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM19 11v8",
  add: "M12 5v14M5 12h14",
  copy: "M9 9h11v11H9zM5 15V4h11",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  star: "M12 4l2.5 5.5 6 .7-4.4 4.1 1.2 5.9L12 17l-5.3 3.2 1.2-5.9-4.4-4.1 6-.7z",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  unlock: "M6 11h12v9H6zM9 11V7a3 3 0 0 1 6-1",
  check: "M5 12l5 5 9-10",
  warning: "M12 4 2 20h20zM12 10v5M12 17.5h.01",
  import: "M12 4v11M7 10l5 5 5-5M4 20h16",
  export: "M12 15V4M7 9l5-5 5 5M4 20h16",
  filter: "M4 6h16M7 12h10M10 18h4",
  focus: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M8 12h8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 3 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
