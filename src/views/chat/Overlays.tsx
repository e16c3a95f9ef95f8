import { ArrowDown, CircleAlert, CornerDownLeft, type LucideIcon } from "lucide-react";
import { Suspense, useEffect, useState, useRef } from "react";
import type { Message } from "../../../contract/records.ts";
import { startOfDay, toDateInput } from "../../lib/days.ts";
import { LazyEmojiPicker } from "../../components/emoji/lazy-emoji-picker.tsx";
import { PersonCard } from "../../components/people/PersonCard.tsx";
import { t as tActions } from "../../lib/texts/chat-actions.ts";
import { t } from "../../lib/texts/chat.ts";
import { useFindFirstMessageSince } from "../../queries/messages/use-message-history.ts";
import { describeError, isInaccessible } from "../../queries/describe-error.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/Field.tsx";
import type { AnchorRect } from "../../ui/Floating.tsx";
import { CloseButton } from "../../ui/IconButton.tsx";
import { submitTo } from "../../ui/text-input.ts";
import { useChat, useChatUser } from "./chat-context.ts";
import { MessageMenu } from "./message/MessageMenu.tsx";
import type { Overlay } from "./message/use-message-actions.ts";

/** Milliseconds until a notice disappears. */
const VISIBLE_MS = 4_000;

interface OverlaysProps {
  overlay: Overlay | null;
  projectId: number;
  getLatest(message: Message): Message;
  onMessageFound(messageId: number): void;
  onClose(): void;
}

export function Overlays({ overlay, projectId, getLatest, onMessageFound, onClose }: OverlaysProps) {
  const { actions } = useChatUser();
  if (!overlay) return null;
  return (
    <>
      {overlay.kind === "menu" && <MessageMenu key={overlay.message.id} message={getLatest(overlay.message)} at={overlay.at} onClose={onClose} />}
      {overlay.kind === "emoji" && (
        <Suspense>
          <LazyEmojiPicker at={overlay.at} onPick={(emoji) => actions.react(getLatest(overlay.message), emoji)} onClose={onClose} />
        </Suspense>
      )}
      {overlay.kind === "person" && <OverlayCard accountId={overlay.accountId} at={overlay.at} onClose={onClose} />}
      {overlay.kind === "days" && <DayDialog projectId={projectId} initialDate={overlay.at} onFound={onMessageFound} onClose={onClose} />}
    </>
  );
}

function OverlayCard({ accountId, at, onClose }: { accountId: number; at: AnchorRect; onClose(): void }) {
  const { account } = useChat().personOf(accountId) ?? {};
  return account && <PersonCard account={account} anchor={at} onClose={onClose} />;
}

/** Scrolls to the end of the chat and shows the number of new messages. */
export function JumpToLatest({ unreadCount, onJump }: { unreadCount: number; onJump(): void }) {
  const label = unreadCount === 0 ? t("jump") : unreadCount > 99 ? t("jumpMany") : t("jumpCount", { count: unreadCount });
  return <Chip icon={ArrowDown} isHighlighted={unreadCount > 0} label={label} onClick={onJump} />;
}

/** Returns the reader to the previous position after a jump. */
export const BackChip = ({ onBack }: { onBack(): void }) => <Chip icon={CornerDownLeft} label={t("back")} onClick={onBack} />;

function Chip({ icon: Icon, isHighlighted = false, label, onClick }: { icon: LucideIcon; isHighlighted?: boolean; label: string; onClick(): void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex h-8 items-center gap-1.5 rounded-full bg-raised px-3 text-sm font-medium text-text shadow-float hover:bg-hover"
    >
      <Icon size={16} aria-hidden className={isHighlighted ? "text-accent-text" : "text-text-2"} />
      {label}
    </button>
  );
}

/** Floats a notice above the composer; the live region stays mounted so that screen readers announce new content. */
export function ChatNotice({ notice, onClose }: { notice: ReturnType<typeof useNotice>["notice"]; onClose(): void }) {
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 bottom-3 z-3 flex justify-center px-16 max-tablet:bottom-13">
      {notice && (
        <p className="pointer-events-auto flex min-h-8 max-w-full items-center gap-2 rounded-lg bg-raised py-1 pr-1 pl-3 text-sm shadow-float">
          {notice.isError && <CircleAlert size={15} aria-hidden className="shrink-0 text-danger" />}
          <span className="min-w-0 wrap-anywhere">{notice.text}</span>
          <CloseButton label={t("dismiss")} className="size-6" onClick={onClose} />
        </p>
      )}
    </div>
  );
}

/** Manages the notice about the last action; an error stays until it is closed or replaced. */
export function useNotice() {
  const [notice, setNotice] = useState<{ text: string; isError: boolean } | null>(null);
  useEffect(() => {
    if (!notice || notice.isError) return;
    const timer = setTimeout(() => setNotice(null), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return { notice, notify: (text: string, isError = false) => setNotice({ text, isError }), close: () => setNotice(null) };
}

interface DayDialogProps {
  projectId: number;
  initialDate: string;
  onFound(messageId: number): void;
  onClose(): void;
}

/** Asks for a day and jumps to its first message. */
function DayDialog({ projectId, initialDate, onFound, onClose }: DayDialogProps) {
  const find = useFindFirstMessageSince(projectId);
  const [today] = useState(() => toDateInput(new Date()));
  const [day, setDay] = useState(() => toDateInput(new Date(initialDate)));
  const [errorMessage, setErrorMessage] = useState<string | undefined>();
  const [isPending, setIsPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const since = startOfDay(day);

  const goToDay = async () => {
    if (!since || isPending) return;
    setIsPending(true);
    try {
      const { id } = await find(since);
      // The user closed the dialog during the request.
      if (!form.current) return;
      onClose();
      onFound(id);
    } catch (error) {
      setErrorMessage(isInaccessible(error) ? tActions("dayNone") : describeError(error).title);
      setIsPending(false);
    }
  };

  return (
    <Dialog title={tActions("dayTitle")} onClose={onClose} width="sm" lightDismiss>
      <form ref={form} onSubmit={submitTo(() => void goToDay())}>
        <TextField
          type="date"
          label={tActions("dayLabel")}
          autoFocus
          required
          value={day}
          max={today}
          error={errorMessage}
          onChange={(input) => {
            setDay(input);
            setErrorMessage(undefined);
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>{tActions("dayClose")}</Button>
          <Button type="submit" variant="primary" pending={isPending} disabled={!since}>
            {tActions("dayGo")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
