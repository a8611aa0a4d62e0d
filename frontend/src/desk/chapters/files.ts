/** Requests about chapters and the texts of their history, each of which names what it has seen. */
import { api, told } from "@/api/client";

const at = (project: string, name: string) => ({ path: { project_id: project, name } });

/** A chapter with its text. */
export interface Chapter {
  name: string;
  text: string;
  hash: string;
}

/** What an open chapter asks of the book that it belongs to. */
export interface Files {
  project: string;
  read: (name: string) => Promise<Chapter>;
  save: (name: string, text: string, seen: string | null) => Promise<Chapter>;
  remove: (name: string, seen: string) => Promise<unknown>;
  compare: (from: string, to: string) => ReturnType<typeof compareObjects>;
}

export function filesIn(project: string): Files {
  return {
    project,
    read: (name) => readChapter(project, name),
    save: (name, text, seen) => saveChapter(project, name, text, seen),
    remove: (name, seen) => deleteChapter(project, name, seen),
    compare: (from, to) => compareObjects(project, from, to),
  };
}

export function readChapter(project: string, name: string): Promise<Chapter> {
  return told(api.GET("/api/projects/{project_id}/chapters/{name}", { params: at(project, name) }));
}

/** Save a chapter over the one of that hash; `null`: it is new. */
export function saveChapter(
  project: string,
  name: string,
  text: string,
  seen: string | null,
): Promise<Chapter> {
  const header = seen === null ? { "if-none-match": "*" } : { "if-match": seen };
  return told(
    api.PUT("/api/projects/{project_id}/chapters/{name}", {
      params: { ...at(project, name), header },
      body: { text },
    }),
  );
}

export function deleteChapter(project: string, name: string, seen: string) {
  return told(
    api.DELETE("/api/projects/{project_id}/chapters/{name}", {
      params: { ...at(project, name), header: { "if-match": seen } },
    }),
  );
}

export function renameChapter(
  project: string,
  name: string,
  to: string,
  seen: string,
): Promise<Chapter> {
  return told(
    api.POST("/api/projects/{project_id}/chapters/{name}/rename", {
      params: { ...at(project, name), header: { "if-match": seen } },
      body: { to },
    }),
  );
}

/** How two texts of the history differ, by their hashes. */
export function compareObjects(project: string, from: string, to: string) {
  return told(
    api.GET("/api/projects/{project_id}/diff", {
      params: {
        path: { project_id: project },
        query: { from: `object:${from}`, to: `object:${to}` },
      },
    }),
  );
}

/** A text of the history. */
export async function objectText(project: string, hash: string): Promise<string> {
  return (await compareObjects(project, hash, hash)).to.text;
}
