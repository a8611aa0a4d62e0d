/** Prose on the page: each piece drawn by itself, so that a growing text parses only its last one. */
import { memo, useLayoutEffect, useMemo, useRef } from "react";
import { chunksOf } from "./chunks";
import { draw } from "./draw";
import { tongueOf } from "./tongue";

interface ProseProps {
  text: string;
  /** `user`: what the user said. */
  by?: "user";
}

export const Prose = memo(function Prose({ text, by }: ProseProps) {
  const chunks = useMemo(() => chunksOf(text), [text]);
  const tongue = useMemo(() => tongueOf(text), [text]);
  return (
    <div className={by === "user" ? "prose user" : "prose"} lang={tongue ?? undefined}>
      {chunks.map((chunk, at) => (
        // A piece keeps its place: text is added behind it.
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a piece is known by
        <Piece key={at} at={at} text={chunk} />
      ))}
    </div>
  );
});

const Piece = memo(function Piece({ text, at }: { text: string; at: number }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(draw(text));
  }, [text]);
  return <div ref={place} className="piece" data-piece={at} />;
});
