/** One thing of the library beside the list on a wide window, over it on a narrow one. */
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import classes from "./Sheet.module.css";

interface SheetProps {
  title: string;
  onClose: () => void;
  tools?: ReactNode;
  children: ReactNode;
}

export function Sheet({ title, onClose, tools, children }: SheetProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEscape(true, onClose);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <aside className={classes.sheet} aria-label={title}>
      <header className={classes.header}>
        <h2 ref={heading} className={classes.title} tabIndex={-1}>
          {title}
        </h2>
        {tools}
        <IconButton icon="close" label={t("common.close")} onClick={onClose} size={44} />
      </header>
      <div className={classes.content}>{children}</div>
    </aside>
  );
}
