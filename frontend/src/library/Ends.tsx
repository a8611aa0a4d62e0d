/** The end of a list that has more: loads it when it comes near, and is a button for keyboards. */
import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Library.module.css";

export function Ends({ more, load }: { more: boolean; load: () => void }) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const end = place.current;
    if (!more || end === null) return;
    const watch = new IntersectionObserver(
      (seen) => {
        if (seen.some((one) => one.isIntersecting)) latest.current();
      },
      { rootMargin: "800px" },
    );
    watch.observe(end);
    return () => watch.disconnect();
  }, [more]);
  if (!more) return null;
  return (
    <div ref={place} className={classes.more}>
      <Button variant="subtle" onClick={load}>
        {t("library.more")}
      </Button>
    </div>
  );
}
