/** Provides every timeline row with the people and actions of its chat; the value stays stable when only messages arrive. */
import { createContext, useContext } from "react";
import type { Role } from "../../../contract/records.ts";
import type { Person } from "../../queries/members.ts";
import type { MessageActions } from "./message/use-message-actions.ts";

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
