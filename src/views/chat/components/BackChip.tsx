import { CornerDownLeft } from "lucide-react";
import { t } from "../../../lib/messages/chat.ts";

/** Returns the reader to the previous position after a jump. */
export function BackChip({ onBack }: { onBack(): void }) {
  return (
    <button
      type="button"
      onClick={onBack}
      className="flex h-8 items-center gap-1.5 rounded-full bg-raised px-3 text-sm font-medium text-text shadow-float hover:bg-hover"
    >
      <CornerDownLeft size={16} aria-hidden className="text-text-2" />
      {t("back")}
    </button>
  );
}
