import { ArrowDown } from "lucide-react";
import { t } from "../../../lib/messages/chat.ts";

/** Back to the end, with how much has come since. */
export function JumpToLatest({ unread, onJump }: { unread: number; onJump(): void }) {
  const label = unread === 0 ? t("jump") : unread > 99 ? t("jumpMany") : t("jumpCount", { count: unread });
  return (
    <button
      type="button"
      onClick={onJump}
      className="flex h-8 items-center gap-1.5 rounded-full bg-raised px-3 text-sm font-medium text-text shadow-float hover:bg-hover"
    >
      <ArrowDown size={16} aria-hidden className={unread > 0 ? "text-accent-text" : "text-text-2"} />
      {label}
    </button>
  );
}
