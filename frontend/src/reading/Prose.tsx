/** Prose on the page: each piece drawn by itself, so that a growing text parses only its last one. */
import { memo, useLayoutEffect, useMemo, useRef } from "react";
import { type Assets, NO_ASSETS, withAssets } from "@/images/assets";
import { isBegunMarker, markerIn, wordsAlone } from "@/images/marker";
import { StoryImage } from "@/images/StoryImage";
import { chunksOf } from "./chunks";
import { draw } from "./draw";
import { tongueOf } from "./tongue";

interface ProseProps {
  text: string;
  /** `user`: what the user said. */
  by?: "user";
  /** The pictures that the text may call for by name. */
  assets?: Assets;
}

export const Prose = memo(function Prose({ text, by, assets = NO_ASSETS }: ProseProps) {
  const chunks = useMemo(() => chunksOf(text), [text]);
  const tongue = useMemo(() => tongueOf(wordsAlone(text)), [text]);
  return (
    <div className={by === "user" ? "prose user" : "prose"} lang={tongue ?? undefined}>
      {chunks.map((chunk, at) => (
        // A piece keeps its place: text is added behind it.
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a piece is known by
        <Part key={at} at={at} text={chunk} drawn={by !== "user"} assets={assets} />
      ))}
    </div>
  );
});

interface PartProps {
  text: string;
  at: number;
  /** Pictures of the turn may stand there. */
  drawn: boolean;
  assets: Assets;
}

/** Words, or a picture of the turn. */
function Part({ text, at, drawn, assets }: PartProps) {
  const image = drawn ? markerIn(text) : null;
  if (image !== null)
    return (
      <div className="piece" data-piece={at}>
        <StoryImage id={image.id} caption={image.caption} />
      </div>
    );
  return <Piece at={at} text={drawn && isBegunMarker(text) ? "" : withAssets(text, assets)} />;
}

const Piece = memo(function Piece({ text, at }: { text: string; at: number }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(draw(text));
  }, [text]);
  return <div ref={place} className="piece" data-piece={at} />;
});
