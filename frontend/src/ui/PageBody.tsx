/** A place outside the story: a bar with its title and tools, and its content under it. */
import type { ReactNode } from "react";
import classes from "./PageBody.module.css";

interface PageBodyProps {
  title: string;
  tools?: ReactNode;
  /** Lists and grids take the whole width; forms and prose a column. */
  wide?: boolean;
  children: ReactNode;
}

export function PageBody({ title, tools, wide, children }: PageBodyProps) {
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <h1 className={classes.title}>{title}</h1>
        {tools !== undefined && <div className={classes.tools}>{tools}</div>}
      </header>
      <div className={classes.content} data-wide={wide || undefined}>
        {children}
      </div>
    </div>
  );
}
