/** The bar over the cards: words, tag, favourites, order. */
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { useWide } from "@/ui/useWide";
import classes from "./Library.module.css";
import type { Looking } from "./looking";

const TAGS_SHOWN = 200;

interface CardToolsProps {
  looking: Looking;
  change: (next: Partial<Looking>) => void;
}

export function CardTools({ looking, change }: CardToolsProps) {
  const { t } = useTranslation();
  const wide = useWide();
  const tags = useQuery({
    queryKey: [...keys.cards, "tags"],
    queryFn: () => told(api.GET("/api/cards/tags")),
    staleTime: 30_000,
  });
  const known = (tags.data?.items ?? []).slice(0, TAGS_SHOWN);
  const listed = known.some((one) => one.tag === looking.tag) || looking.tag === "";
  return (
    <search className={classes.tools}>
      <TextInput
        className={classes.search}
        type="search"
        aria-label={t("library.searchCards")}
        placeholder={t("library.searchHint")}
        leftSection={<Icon name="search" size={18} />}
        maxLength={200}
        value={looking.q}
        onChange={(event) => change({ q: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.choice}
        aria-label={t("library.tags")}
        value={looking.tag}
        data={[
          { value: "", label: t("library.anyTag") },
          ...(listed ? [] : [{ value: looking.tag, label: looking.tag }]),
          ...known.map((one) => ({ value: one.tag, label: `${one.tag} (${one.cards})` })),
        ]}
        onChange={(event) => change({ tag: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.choice}
        aria-label={t("library.order")}
        value={looking.sort}
        data={[
          { value: "newest", label: t("library.newest") },
          { value: "name", label: t("library.byName") },
        ]}
        onChange={(event) =>
          change({ sort: event.currentTarget.value === "name" ? "name" : "newest" })
        }
      />
      {wide ? (
        <Checkbox
          label={t("library.favourites")}
          checked={looking.favourite}
          onChange={(event) => change({ favourite: event.currentTarget.checked })}
        />
      ) : (
        <IconButton
          icon="star"
          label={t("library.favourites")}
          pressed={looking.favourite}
          onClick={() => change({ favourite: !looking.favourite })}
          size={44}
        />
      )}
    </search>
  );
}
