/** What every row of the timeline needs of its chat: who is who, and what may be done. Never changes while only messages come. */
import { createContext, useContext } from "react";
import type { Message } from "../../../../contract/records.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import type { Named } from "../../../queries/drafts/drafts.ts";
import type { Spot } from "../../../ui/Floating.tsx";
import type { Typed } from "../../../queries/drafts/edits.ts";

export interface MessageActions {
  reply(message: Message): void;
  edit(message: Message): void;
  saveEdit(message: Message, edited: Typed): void;
  changeEdit(messageId: number, text: string, added?: readonly Named[]): void;
  leaveEdit(messageId: number): void;
  remove(message: Message): void;
  restore(message: Message): void;
  /** Gives the reaction, or takes it back where it is given. */
  react(message: Message, emoji: string): void;
  copyText(message: Message): void;
  copyLink(message: Message): void;
  markUnread(message: Message): void;
  openMenu(message: Message, at: Spot): void;
  openEmoji(message: Message, at: Spot): void;
  /** To a message; the way back leads to `from`. */
  jump(messageId: number, from: number): void;
  openDays(at: string): void;
}

export interface ChatRoom {
  accountId: number;
  /** Deletes also what others wrote. */
  manages: boolean;
  personOf(accountId: number): Person | undefined;
  nameOf(accountId: number): string;
  act: MessageActions;
  /** Long messages that show all of their text: kept here, since rows come and go as one scrolls. */
  unfolded: Set<string>;
}

export const ChatRoomContext = createContext<ChatRoom | null>(null);

export function useChatRoom(): ChatRoom {
  const room = useContext(ChatRoomContext);
  if (!room) throw new Error("A message was drawn outside of a chat");
  return room;
}
