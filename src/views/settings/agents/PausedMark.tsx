import { t } from "../../../lib/texts/agents.ts";

export const PausedMark = () => <span className="rounded-full bg-hover px-2 text-xs text-text-2">{t("paused")}</span>;
