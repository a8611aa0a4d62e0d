/** An empty place: one sentence, one action. */
import type { ReactNode } from "react";
import classes from "./Empty.module.css";

export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p>{text}</p>
      {children}
    </div>
  );
}
