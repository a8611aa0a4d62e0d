import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";

export default function LorePanel() {
  const { t } = useTranslation();
  return <Empty text={t("common.notYet")} />;
}
