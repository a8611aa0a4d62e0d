/** A card in the grid: its picture in a fixed box, its name, and the star. */
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "@/ui/icons";
import classes from "./Library.module.css";
import type { CardItem } from "./types";
import { useFavourite } from "./useFavourite";

export const CardTile = memo(function CardTile({ card }: { card: CardItem }) {
  const { t } = useTranslation();
  const star = useFavourite(card);
  return (
    <li className={classes.tile}>
      <Link className={classes.open} href={`/library/cards/${card.id}${location.search}`}>
        <div className={classes.frame}>
          {card.broken === null ? (
            <>
              <span className={classes.initial} aria-hidden="true">
                {[...card.name][0]}
              </span>
              <img
                src={`/api/cards/${card.id}/picture?w=320`}
                alt=""
                loading="lazy"
                decoding="async"
                draggable={false}
              />
            </>
          ) : (
            <span className={classes.broken}>
              <Icon name="warning" size={28} />
              {t("library.broken")}
            </span>
          )}
        </div>
        <span className={classes.name}>{card.name}</span>
        <span className={`${classes.facts} ${classes.oneLine}`}>{card.tags.join(" · ")}</span>
      </Link>
      <button
        type="button"
        className={classes.star}
        aria-pressed={star.on}
        aria-label={`${t(star.on ? "library.unfavourite" : "library.favourite")}: ${card.name}`}
        onClick={star.toggle}
      >
        <span>
          <Icon name="star" size={18} />
        </span>
      </button>
    </li>
  );
});
