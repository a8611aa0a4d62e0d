/** A picture at its place in the turn: what it will show while it is drawn, Retry where it failed, then the
 * picture with its caption. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { Icon } from "@/ui/icons";
import classes from "./StoryImage.module.css";
import { useImage, useRetry } from "./useImage";

interface StoryImageProps {
  id: string;
  caption: string;
}

export function StoryImage({ id, caption }: StoryImageProps) {
  const { t } = useTranslation();
  const found = useImage(id);
  const image = found.data;
  const picture = image?.picture ?? null;
  return (
    <figure className={classes.figure} data-image={id} aria-busy={image?.state === "pending"}>
      {picture !== null ? (
        <img className={classes.picture} src={picture} alt={caption} decoding="async" />
      ) : (
        <div className={classes.place}>
          {found.error !== null ? (
            <p>{t("reading.image.gone")}</p>
          ) : image?.state === "failed" ? (
            <Failed id={id} code={image.code} message={image.message} />
          ) : (
            <p role="status">{t(`reading.image.${image?.state ?? "wished"}`)}</p>
          )}
        </div>
      )}
      {caption !== "" && <figcaption className={classes.caption}>{caption}</figcaption>}
    </figure>
  );
}

const REASONS = [
  "no_image_connection",
  "story_in_trash",
  "host_not_allowed",
  "not_a_picture",
  "picture_too_large",
  "timeout",
  "connection_failed",
  "unauthorized",
  "rate_limited",
  "payment_required",
] as const;

function Failed({ id, code, message }: { id: string; code: string; message: string }) {
  const { t } = useTranslation();
  const retry = useRetry(id);
  const reason = REASONS.find((one) => one === code);
  return (
    <>
      <p>
        <Icon name="warning" size={18} /> {t("reading.image.failed")}
      </p>
      {reason !== undefined && <p>{t(`reading.image.reasons.${reason}`)}</p>}
      <details className={classes.why}>
        <summary>{t("reading.image.why")}</summary>
        <p>
          {message} ({code})
        </p>
      </details>
      {retry.error !== null && <ErrorNote error={retry.error} />}
      <Button loading={retry.isPending} onClick={() => retry.mutate()}>
        {t("common.retry")}
      </Button>
    </>
  );
}
