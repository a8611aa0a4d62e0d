import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import { PageBody } from "@/ui/PageBody";

export default function HomePage() {
  const { t } = useTranslation();
  return (
    <PageBody title={t("home.title")}>
      <Empty text={t("common.notYet")} />
    </PageBody>
  );
}
