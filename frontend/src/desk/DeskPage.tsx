import { useTranslation } from "react-i18next";
import type { ScreenProps } from "@/app/routes";
import { Empty } from "@/ui/Empty";
import { PageBody } from "@/ui/PageBody";

export default function DeskPage(_props: ScreenProps) {
  const { t } = useTranslation();
  return (
    <PageBody title={t("desk.title")}>
      <Empty text={t("common.notYet")} />
    </PageBody>
  );
}
