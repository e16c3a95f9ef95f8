/** Provides every timeline row with the people and actions of its chat; the value stays stable when only messages arrive. */
import { createContext, useContext } from "react";
import type { Person } from "../../queries/members.ts";
import type { CurrentUser } from "../../queries/permissions.ts";
import type { MessageActions } from "./message/use-message-actions.ts";

/** The signed-in user of the chat, and what the user can do with its messages. */
export interface ChatUser extends CurrentUser {
  canReply: boolean;
  /** The service has more than reading and writing: changing messages, reactions, marking as unread, jumping to a day. */
  hasMessageActions: boolean;
  /** The ids of the messages that are favorites; null where there are no favorites. */
  favoriteIds: ReadonlySet<number> | null;
  actions: MessageActions;
}

export interface ChatContextValue {
  /** Null where the service offers reading only. */
  user: ChatUser | null;
  /** Jumps to a message; Back then returns to the message `from`. */
  jump(messageId: number, from: number): void;
  personOf(accountId: number): Person | undefined;
  nameOf(accountId: number): string;
  /** The ids of the agents, here because a query of each row would make scrolling slower. */
  agentIds: ReadonlySet<number>;
  /** Keys of expanded long messages; stored here, because rows unmount while scrolling. */
  expandedMessages: Set<string>;
}

export const ChatContext = createContext<ChatContextValue | null>(null);

export function useChat(): ChatContextValue {
  const context = useContext(ChatContext);
  if (!context) throw new Error("useChat needs a ChatContext");
  return context;
}

/** Returns the signed-in user in components that are rendered only where there is one. */
export function useChatUser(): ChatUser {
  const { user } = useChat();
  if (!user) throw new Error("A part of the chat that needs an account was shown without one");
  return user;
}
