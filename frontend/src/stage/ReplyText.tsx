/** The text of a sealed reply; a paragraph of it opens for editing where it stands. */
import type { MouseEvent } from "react";
import type { PathItem } from "@/api/types";
import { StoryProse } from "@/images/StoryProse";
import { EditProse } from "./EditProse";
import { beginEdit, useEdit } from "./edits";
import { replyOf } from "./transcript";

export function ReplyText({ item }: { item: PathItem }) {
  const edit = useEdit(item.id);
  if (edit?.open === true) return <EditProse item={item} edit={edit} />;
  const begin = (event: MouseEvent) => {
    const piece = event.target instanceof Element ? event.target.closest("[data-piece]") : null;
    if (piece instanceof HTMLElement && edit === null) beginEdit(item, Number(piece.dataset.piece));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same is done by the button and the key
    <div data-reply={item.id} onDoubleClick={begin}>
      <StoryProse text={replyOf(item)} />
    </div>
  );
}
