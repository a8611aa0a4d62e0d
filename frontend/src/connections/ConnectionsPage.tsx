import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import { PageBody } from "@/ui/PageBody";

export default function ConnectionsPage() {
  const { t } = useTranslation();
  return (
    <PageBody title={t("connections.title")}>
      <Empty text={t("common.notYet")} />
    </PageBody>
  );
}
