import { lazy, Suspense } from "react";
import type { Message } from "../../../../contract/records.ts";
import type { ChatRoom } from "./chat-room.ts";
import type { Open } from "./use-message-actions.ts";

const MessageMenu = lazy(async () => ({ default: (await import("./MessageMenu.tsx")).MessageMenu }));
const EmojiPicker = lazy(async () => ({ default: (await import("./EmojiPicker.tsx")).EmojiPicker }));
const DayDialog = lazy(async () => ({ default: (await import("./DayDialog.tsx")).DayDialog }));

interface Props {
  open: Open | null;
  room: ChatRoom;
  /** The message as it is now. */
  current(message: Message): Message;
  findDay(since: Date): Promise<{ id: number }>;
  onDay(messageId: number): void;
  onClose(): void;
}

/** What floats over the chat, each in a chunk of its own that comes when it is first opened. */
export function Overlays({ open, room, current, findDay, onDay, onClose }: Props) {
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      {open.kind === "menu" && <MessageMenu key={open.message.id} message={current(open.message)} at={open.at} room={room} onClose={onClose} />}
      {open.kind === "emoji" && <EmojiPicker at={open.at} onPick={(emoji) => room.act.react(current(open.message), emoji)} onClose={onClose} />}
      {open.kind === "days" && <DayDialog at={open.at} find={findDay} onFound={onDay} onClose={onClose} />}
    </Suspense>
  );
}
