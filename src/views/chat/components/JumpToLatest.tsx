import { ArrowDown } from "lucide-react";
import { t } from "../../../lib/messages/chat.ts";

/** Scrolls to the end of the chat and shows the number of new messages. */
export function JumpToLatest({ unreadCount, onJump }: { unreadCount: number; onJump(): void }) {
  const label = unreadCount === 0 ? t("jump") : unreadCount > 99 ? t("jumpMany") : t("jumpCount", { count: unreadCount });
  return (
    <button
      type="button"
      onClick={onJump}
      className="flex h-8 items-center gap-1.5 rounded-full bg-raised px-3 text-sm font-medium text-text shadow-float hover:bg-hover"
    >
      <ArrowDown size={16} aria-hidden className={unreadCount > 0 ? "text-accent-text" : "text-text-2"} />
      {label}
    </button>
  );
}
