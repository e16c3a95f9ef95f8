import { ArrowDown, CircleAlert, CornerDownLeft, X } from "lucide-react";
import { Suspense, useCallback, useEffect, useState } from "react";
import type { Message } from "../../../contract/records.ts";
import { t } from "../../lib/texts/chat.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useChat } from "./chat-context.ts";
import { EmojiPicker } from "./composer/ComposerButtons.tsx";
import { MessageMenu } from "./message/MessageMenu.tsx";
import type { Overlay } from "./message/use-message-actions.ts";
import { DayDialog } from "./search/DayDialog.tsx";

/** Milliseconds until a notice disappears. */
const VISIBLE_MS = 4_000;
const CHIP_CLASS = "flex h-8 items-center gap-1.5 rounded-full bg-raised px-3 text-sm font-medium text-text shadow-float hover:bg-hover";

interface OverlaysProps {
  overlay: Overlay | null;
  /** Returns the current version of the message. */
  getLatest(message: Message): Message;
  findFirstMessageSince(since: Date): Promise<{ id: number }>;
  onMessageFound(messageId: number): void;
  onClose(): void;
}

/** Renders the overlay of the chat that is open. */
export function Overlays({ overlay, getLatest, findFirstMessageSince, onMessageFound, onClose }: OverlaysProps) {
  const { actions } = useChat();
  if (!overlay) return null;
  return (
    <Suspense fallback={null}>
      {overlay.kind === "menu" && <MessageMenu key={overlay.message.id} message={getLatest(overlay.message)} at={overlay.at} onClose={onClose} />}
      {overlay.kind === "emoji" && <EmojiPicker at={overlay.at} onPick={(emoji) => actions.react(getLatest(overlay.message), emoji)} onClose={onClose} />}
      {overlay.kind === "days" && <DayDialog initialDate={overlay.at} find={findFirstMessageSince} onFound={onMessageFound} onClose={onClose} />}
    </Suspense>
  );
}

/** Scrolls to the end of the chat and shows the number of new messages. */
export function JumpToLatest({ unreadCount, onJump }: { unreadCount: number; onJump(): void }) {
  const label = unreadCount === 0 ? t("jump") : unreadCount > 99 ? t("jumpMany") : t("jumpCount", { count: unreadCount });
  return (
    <button type="button" onClick={onJump} className={CHIP_CLASS}>
      <ArrowDown size={16} aria-hidden className={unreadCount > 0 ? "text-accent-text" : "text-text-2"} />
      {label}
    </button>
  );
}

/** Returns the reader to the previous position after a jump. */
export function BackChip({ onBack }: { onBack(): void }) {
  return (
    <button type="button" onClick={onBack} className={CHIP_CLASS}>
      <CornerDownLeft size={16} aria-hidden className="text-text-2" />
      {t("back")}
    </button>
  );
}

interface Notice {
  text: string;
  isError: boolean;
}

/** Floats a notice above the composer; the live region stays mounted so that screen readers announce new content. */
export function ChatNotice({ notice, onClose }: { notice: Notice | null; onClose(): void }) {
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 bottom-3 z-3 flex justify-center px-16 max-tablet:bottom-13">
      {notice && (
        <p className="pointer-events-auto flex min-h-8 max-w-full items-center gap-2 rounded-lg bg-raised py-1 pr-1 pl-3 text-sm shadow-float">
          {notice.isError && <CircleAlert size={15} aria-hidden className="shrink-0 text-danger" />}
          <span className="min-w-0 wrap-anywhere">{notice.text}</span>
          <IconButton label={t("dismiss")} className="size-6" onClick={onClose}>
            <X size={14} aria-hidden />
          </IconButton>
        </p>
      )}
    </div>
  );
}

/** Manages the notice about the last action; an error stays until it is closed or replaced. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice | null>(null);
  const notify = useCallback((text: string, isError = false) => setNotice({ text, isError }), []);
  const close = useCallback(() => setNotice(null), []);
  useEffect(() => {
    if (!notice || notice.isError) return;
    const timer = setTimeout(close, VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [notice, close]);
  return { notice, notify, close };
}
