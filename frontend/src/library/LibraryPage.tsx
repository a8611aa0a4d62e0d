import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import { PageBody } from "@/ui/PageBody";

export default function LibraryPage() {
  const { t } = useTranslation();
  return (
    <PageBody title={t("library.title")}>
      <Empty text={t("common.notYet")} />
    </PageBody>
  );
}
