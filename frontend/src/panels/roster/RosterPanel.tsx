import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";

export default function RosterPanel() {
  const { t } = useTranslation();
  return <Empty text={t("common.notYet")} />;
}
