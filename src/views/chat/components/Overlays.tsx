import { lazy, Suspense } from "react";
import type { Message } from "../../../../contract/records.ts";
import type { ChatContextValue } from "./chat-room.ts";
import type { Overlay } from "./use-message-actions.ts";

const MessageMenu = lazy(async () => ({ default: (await import("./MessageMenu.tsx")).MessageMenu }));
const EmojiPicker = lazy(async () => ({ default: (await import("./EmojiPicker.tsx")).EmojiPicker }));
const DayDialog = lazy(async () => ({ default: (await import("./DayDialog.tsx")).DayDialog }));

interface Props {
  overlay: Overlay | null;
  context: ChatContextValue;
  /** Returns the current version of the message. */
  getLatest(message: Message): Message;
  findDay(since: Date): Promise<{ id: number }>;
  onDay(messageId: number): void;
  onClose(): void;
}

/** Renders the chat's overlays, each in its own chunk that loads on first use. */
export function Overlays({ overlay, context, getLatest, findDay, onDay, onClose }: Props) {
  if (!overlay) return null;
  return (
    <Suspense fallback={null}>
      {overlay.kind === "menu" && (
        <MessageMenu key={overlay.message.id} message={getLatest(overlay.message)} at={overlay.at} context={context} onClose={onClose} />
      )}
      {overlay.kind === "emoji" && (
        <EmojiPicker at={overlay.at} onPick={(emoji) => context.actions.react(getLatest(overlay.message), emoji)} onClose={onClose} />
      )}
      {overlay.kind === "days" && <DayDialog initialDate={overlay.at} find={findDay} onFound={onDay} onClose={onClose} />}
    </Suspense>
  );
}
