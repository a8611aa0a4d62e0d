/** Everywhere one can go from here, by its name: places, the open story's parts, stories. Apart from the
 * box that looks through them, which knows nothing of stories and panels. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project } from "@/api/types";
import { DESK_PANELS } from "@/desk/panels";
import { KINDS } from "@/library/kinds";
import { PANELS } from "@/panels/registry";
import { PLACES } from "./places";

export interface Destination {
  href: string;
  name: string;
  /** What it is, or what it lies in. */
  of: string;
}

/** The latest stories; older ones are found on Home. */
const STORIES = 100;
const SHEETS = ["find", "saves", "note", "reading", "shortcuts"] as const;

/** What lies nearest comes first. */
export function useDestinations(): readonly Destination[] {
  const { t } = useTranslation();
  const [path] = useLocation();
  const open = /^\/p\/([^/]+)/.exec(path)?.[1] ?? null;
  const project = useQuery({
    queryKey: keys.project(open ?? ""),
    queryFn: () =>
      told(api.GET("/api/projects/{project_id}", { params: { path: { project_id: open ?? "" } } })),
    enabled: open !== null,
  });
  const stories = useQuery({
    queryKey: [...keys.projects, "names"],
    queryFn: () => told(api.GET("/api/projects", { params: { query: { limit: STORIES } } })),
  });
  const within = useWithin(open === null ? undefined : project.data, path);
  const main = PLACES.map(({ id, href }) => ({ href, name: t(`common.${id}`), of: "" }));
  const shelves = KINDS.map((kind) => ({
    href: `/library/${kind}`,
    name: t(`library.kind.${kind}`),
    of: t("common.library"),
  }));
  const tales = (stories.data?.items ?? [])
    .filter((one) => one.id !== open)
    .map(({ id, title, mode }) => ({ href: `/p/${id}`, name: title, of: t(`home.modes.${mode}`) }));
  return [...within, ...main, ...shelves, ...tales];
}

/** The parts of the story that is open. Panels open over what is read; the rest is an address of its own. */
function useWithin(project: Project | undefined, path: string): readonly Destination[] {
  const { t } = useTranslation();
  if (project === undefined) return [];
  const root = `/p/${project.id}`;
  const of = project.title;
  const panels = PANELS.map(({ id }) => ({
    href: `${path}?panel=${id}`,
    name: t(`panels.${id}`),
    of,
  }));
  const itself = { href: root, name: of, of: t(`home.modes.${project.mode}`) };
  if (project.mode === "writing") {
    const desk = DESK_PANELS.map(({ id }) => ({
      href: `${path}?panel=${id}`,
      name: t(`desk.panel.${id}`),
      of,
    }));
    return [itself, ...panels, ...desk];
  }
  const map = { href: `${root}/map`, name: t("stage.map"), of };
  const sheets = SHEETS.map((id) => ({
    href: `${root}?sheet=${id === "shortcuts" ? "keys" : id}`,
    name: t(`stage.${id}`),
    of,
  }));
  return [itself, ...panels, map, ...sheets];
}
