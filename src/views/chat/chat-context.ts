/** Provides every timeline row with the people and actions of its chat; the value stays stable when only messages arrive. */
import { createContext, useContext } from "react";
import type { Message, Role } from "../../../contract/records.ts";
import type { Person } from "../../queries/members.ts";
import type { EditableText, Mention } from "../../sync/drafts/draft-text.ts";
import type { AnchorRect } from "../../ui/Floating.tsx";

export interface MessageActions {
  reply(message: Message): void;
  edit(message: Message): void;
  saveEdit(message: Message, edit: EditableText): void;
  changeEdit(messageId: number, text: string, addedMentions?: readonly Mention[]): void;
  cancelEdit(messageId: number): void;
  remove(message: Message): void;
  restore(message: Message): void;
  /** Adds the reaction, or removes it if already given. */
  react(message: Message, emoji: string): void;
  copyText(message: Message): void;
  copyLink(message: Message): void;
  markUnread(message: Message): void;
  openMenu(message: Message, at: AnchorRect): void;
  openEmoji(message: Message, at: AnchorRect): void;
  /** Jumps to a message; Back then returns to the message `from`. */
  jump(messageId: number, from: number): void;
  openDays(at: string): void;
}

export interface ChatContextValue {
  accountId: number;
  role: Role;
  personOf(accountId: number): Person | undefined;
  nameOf(accountId: number): string;
  actions: MessageActions;
  /** Keys of expanded long messages; stored here, because rows unmount while scrolling. */
  expandedMessages: Set<string>;
}

export const ChatContext = createContext<ChatContextValue | null>(null);

export function useChat(): ChatContextValue {
  const context = useContext(ChatContext);
  if (!context) throw new Error("useChat needs a ChatContext");
  return context;
}
