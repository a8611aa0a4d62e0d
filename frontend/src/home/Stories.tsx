/** The stories as a list of ways back into them. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { ProjectItem } from "@/api/types";
import { Icon } from "@/ui/icons";
import { dayOf } from "@/ui/times";
import classes from "./Home.module.css";

interface StoriesProps {
  stories: readonly ProjectItem[];
  more: (() => void) | undefined;
}

export function Stories({ stories, more }: StoriesProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.section} aria-labelledby="go-on">
      <h2 id="go-on" className={classes.heading}>
        {t("home.goOn")}
      </h2>
      <ul className={classes.stories}>
        {stories.map((story) => (
          <li key={story.id}>
            <Link className={classes.story} href={`/p/${story.id}`}>
              <span className={classes.title} lang={story.language}>
                {story.title}
              </span>
              <span className={classes.facts}>
                {t(`home.modes.${story.mode}`)} · {dayOf(story.created_at)}
              </span>
              <Icon name="forward" />
            </Link>
          </li>
        ))}
      </ul>
      {more !== undefined && <Button onClick={more}>{t("home.older")}</Button>}
    </section>
  );
}
