/** Settings: what the reading sheet has, on a page of its own. */
import { useTranslation } from "react-i18next";
import { ReadingSheet } from "@/reading/ReadingSheet";
import { PageBody } from "@/ui/PageBody";

export default function SettingsPage() {
  const { t } = useTranslation();
  return (
    <PageBody title={t("settings.title")}>
      <ReadingSheet />
    </PageBody>
  );
}
