/** Every address of the page and the screen behind it. A screen is loaded when it is first visited; a
 * new one is a line here and its address in `web/routes/page.py`. */
import { type ComponentType, lazy } from "react";
import { withWords } from "@/i18n";

export interface ScreenProps {
  params: Readonly<Record<string, string | undefined>>;
}

interface Screen {
  path: string;
  screen: ComponentType<ScreenProps>;
  /** Inside a story the bottom tabs give their place to the composer. */
  story: boolean;
}

const Home = lazy(() => import("@/home/HomePage"));
const Project = lazy(() => import("@/app/ProjectPage"));
const StoryMap = lazy(() => import("@/map/MapPage"));
const Inspector = lazy(() => import("@/inspector/InspectorPage"));
const Lorebook = lazy(() => import("@/lorebooks/LorebookPage"));
const Move = lazy(() => withWords(["moving", "report"], import("@/moving/MovePage")));
const Library = lazy(() => withWords(["report"], import("@/library/LibraryPage")));
const Connections = lazy(() => import("@/connections/ConnectionsPage"));
const Scenarios = lazy(() => import("@/scenarios/ScenariosPage"));
const Settings = lazy(() => import("@/settings/SettingsPage"));

/** The first that matches counts. */
export const SCREENS: readonly Screen[] = [
  { path: "/", screen: Home, story: false },
  { path: "/p/:id", screen: Project, story: true },
  { path: "/p/:id/t/:turn", screen: Project, story: true },
  { path: "/p/:id/c/:chapter", screen: Project, story: true },
  { path: "/p/:id/map", screen: StoryMap, story: true },
  { path: "/p/:id/inspect/:turn", screen: Inspector, story: true },
  { path: "/library/lorebooks/:id", screen: Lorebook, story: false },
  { path: "/library/move/:move?", screen: Move, story: false },
  { path: "/library/:kind/:item?", screen: Library, story: false },
  { path: "/connections", screen: Connections, story: false },
  { path: "/scenarios", screen: Scenarios, story: false },
  { path: "/settings", screen: Settings, story: false },
];
