/** A persona's picture in a round frame; behind it the first letter of its name, which is all there is without
 * one. Decoration: the name stands beside it. */
import classes from "./Face.module.css";

interface FaceProps {
  name: string;
  /** The address of the picture, which takes `w` for its width. */
  picture: string | null;
  size?: "small" | "large";
}

export function Face({ name, picture, size }: FaceProps) {
  const width = size === "large" ? 320 : 160;
  return (
    <span className={`${classes.face} ${size === undefined ? "" : classes[size]}`}>
      <span aria-hidden="true">{[...name][0]}</span>
      {picture !== null && (
        <img
          key={picture}
          src={`${picture}&w=${width}`}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
        />
      )}
    </span>
  );
}
