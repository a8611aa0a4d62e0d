import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import { PageBody } from "@/ui/PageBody";

export default function LorebookPage() {
  const { t } = useTranslation();
  return (
    <PageBody title={t("lorebooks.title")}>
      <Empty text={t("common.notYet")} />
    </PageBody>
  );
}
