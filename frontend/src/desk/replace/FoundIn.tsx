/** The places in one chapter: each as it is and as it becomes, ticked or not. */
import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { components } from "@/api/schema.gen";
import { tongueOf } from "@/reading/tongue";
import { shortOf } from "../history/record";
import { choosing, chosenIn, isChosen, type LeftOut } from "./hits";
import classes from "./Replace.module.css";

type File = components["schemas"]["ReplaceFile"];
type Place = components["schemas"]["PlaceTold"];

interface FoundInProps {
  project: string;
  file: File;
  left: LeftOut;
  onLeft: (left: LeftOut) => void;
}

export function FoundIn({ project, file, left, onLeft }: FoundInProps) {
  const { t } = useTranslation();
  const name = shortOf(file.name);
  const chosen = chosenIn(left, file);
  const every = file.places.map((one) => one.start);
  const unseen = file.count - file.places.length;
  return (
    <section className={classes.file} aria-label={name}>
      <h3 className={classes.name}>
        <Checkbox
          aria-label={t("manuscript.allIn", { name })}
          checked={chosen === file.count}
          indeterminate={chosen > 0 && chosen < file.count}
          onChange={(event) => onLeft(choosing(left, file, every, event.currentTarget.checked))}
        />
        <Link
          href={`/p/${project}/c/${encodeURIComponent(file.name)}`}
          lang={tongueOf(name) ?? undefined}
        >
          {name}
        </Link>
        <span className={classes.facts}>{`${chosen}/${file.count}`}</span>
      </h3>
      <ol className={classes.places}>
        {file.places.map((place) => (
          <li key={place.start} className={classes.place}>
            <Checkbox
              label={<Excerpt place={place} />}
              checked={isChosen(left, file, place.start)}
              onChange={(event) =>
                onLeft(choosing(left, file, [place.start], event.currentTarget.checked))
              }
            />
          </li>
        ))}
      </ol>
      {unseen > 0 && <p className={classes.facts}>{t("manuscript.unseen", { count: unseen })}</p>}
    </section>
  );
}

/** The line around a place: what goes and what comes. */
function Excerpt({ place }: { place: Place }) {
  const { t } = useTranslation();
  const end = place.at + place.end - place.start;
  const old = place.before.slice(place.at, end);
  return (
    <span lang={tongueOf(place.before) ?? undefined}>
      {place.before.slice(0, place.at)}
      {old !== "" && (
        <del>
          <span className="only-spoken">{t("common.deleted")}</span>
          {old}
        </del>
      )}
      {place.put !== "" && (
        <ins>
          <span className="only-spoken">{t("common.inserted")}</span>
          {place.put}
        </ins>
      )}
      {place.before.slice(end)}
    </span>
  );
}
