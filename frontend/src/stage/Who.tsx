/** Who the reader is in the story: the persona that it wears, with its picture; of one of the story's own its
 * name alone. Apart from the bar, which asks for nothing. */
import { useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import type { Project } from "@/api/types";
import { Face } from "@/ui/Face";

export interface Worn {
  name: string;
  picture: string | null;
  /** Where it is in the library; null for one of the story's own. */
  href: string | null;
}

/** Null as long as it is not known, and where the reader is nobody in particular. */
export function useWho(project: Project): Worn | null {
  const at = { params: { path: { project_id: project.id } } };
  const dressing = useQuery({
    queryKey: [...keys.project(project.id), "dressing"],
    queryFn: () => told(api.GET("/api/projects/{project_id}/dressing", at)),
    enabled: project.mode === "roleplay",
  });
  const id = dressing.data?.persona_id ?? null;
  const persona = useQuery({
    queryKey: [...keys.personas, "worn", id],
    queryFn: () => personaOrNone(id ?? ""),
    enabled: id !== null,
  });
  const own = project.persona.name;
  if (id !== null && persona.data != null) {
    const { name, picture } = persona.data;
    return { name, picture, href: `/library/personas/${id}` };
  }
  return own === "" || (id !== null && persona.isPending)
    ? null
    : { name: own, picture: null, href: null };
}

/** One in the trash is not shown; the story still has its name. */
async function personaOrNone(id: string) {
  try {
    const at = { params: { path: { item_id: id } } };
    return await told(api.GET("/api/personas/{item_id}", at));
  } catch (error) {
    if (asRefusal(error).status === 404) return null;
    throw error;
  }
}

export function WhoFace({ worn }: { worn: Worn }) {
  return <Face name={worn.name} picture={worn.picture} size="small" />;
}
