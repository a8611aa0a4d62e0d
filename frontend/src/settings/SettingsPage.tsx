/** Settings: what the reading sheet has, and what the page may fetch. */
import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ReadingSheet } from "@/reading/ReadingSheet";
import { PageBody } from "@/ui/PageBody";
import { Pictures } from "./Pictures";

export default function SettingsPage() {
  const { t } = useTranslation();
  return (
    <PageBody title={t("settings.title")}>
      <Stack gap="xl">
        <ReadingSheet />
        <Pictures />
      </Stack>
    </PageBody>
  );
}
