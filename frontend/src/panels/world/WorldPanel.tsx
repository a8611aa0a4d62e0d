import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";

export default function WorldPanel() {
  const { t } = useTranslation();
  return <Empty text={t("common.notYet")} />;
}
