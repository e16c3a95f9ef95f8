/** What every row of the timeline needs of its chat: who is who, and what may be done. Never changes while only messages come. */
import { createContext, useContext } from "react";
import type { Message } from "../../../../contract/records.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import type { Mention } from "../../../queries/drafts/drafts.ts";
import type { AnchorRect } from "../../../ui/Floating.tsx";
import type { EditableText } from "../../../queries/drafts/edits.ts";

export interface MessageActions {
  reply(message: Message): void;
  edit(message: Message): void;
  saveEdit(message: Message, edit: EditableText): void;
  changeEdit(messageId: number, text: string, addedMentions?: readonly Mention[]): void;
  cancelEdit(messageId: number): void;
  remove(message: Message): void;
  restore(message: Message): void;
  /** Gives the reaction, or takes it back where it is given. */
  react(message: Message, emoji: string): void;
  copyText(message: Message): void;
  copyLink(message: Message): void;
  markUnread(message: Message): void;
  openMenu(message: Message, at: AnchorRect): void;
  openEmoji(message: Message, at: AnchorRect): void;
  /** To a message; the way back leads to `from`. */
  jump(messageId: number, from: number): void;
  openDays(at: string): void;
}

export interface ChatContextValue {
  accountId: number;
  /** Deletes also what others wrote. */
  canManage: boolean;
  personOf(accountId: number): Person | undefined;
  nameOf(accountId: number): string;
  actions: MessageActions;
  /** Long messages that show all of their text: kept here, since rows come and go as one scrolls. */
  expandedMessages: Set<string>;
}

export const ChatContext = createContext<ChatContextValue | null>(null);

export function useChat(): ChatContextValue {
  const context = useContext(ChatContext);
  if (!context) throw new Error("A message was drawn outside of a chat");
  return context;
}
