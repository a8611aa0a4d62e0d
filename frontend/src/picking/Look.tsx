/** The box in which a name is looked for, shown where there are more than are offered. */
import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Icon } from "@/ui/icons";
import type { Names } from "./useNames";

export function Look({ names, of }: { names: Names; of: string }) {
  const { t } = useTranslation();
  if (!names.more && names.words === "") return null;
  return (
    <TextInput
      type="search"
      aria-label={`${t("common.findName")}: ${of}`}
      placeholder={t("common.findName")}
      description={names.more ? t("common.moreNames", { n: names.names.length }) : undefined}
      inputWrapperOrder={["input", "description"]}
      leftSection={<Icon name="search" size={18} />}
      value={names.words}
      onChange={(event) => names.look(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.preventDefault(); // it looks; the form is not sent
      }}
    />
  );
}
