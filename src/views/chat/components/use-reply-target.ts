import { useCallback, useMemo } from "react";
import type { Message, Quote } from "../../../../contract/records.ts";
import { useDraftReply } from "../../../queries/drafts/use-draft.ts";
import { toQuote } from "../../../queries/messages/quotes.ts";

export interface ReplyTarget {
  /** The message that the next one replies to; null for none. */
  quote: Quote | null;
  set(message: Message): void;
  clear(): void;
}

/** Manages the message that the next one replies to: stored with the draft, and quoted in its current version if loaded. */
export function useReplyTarget(projectId: number, messages: readonly Message[] | undefined): ReplyTarget {
  const [savedQuote, setSavedQuote] = useDraftReply(projectId);
  const loadedMessage = savedQuote && messages?.find(({ id }) => id === savedQuote.id);
  const quote = useMemo(() => (loadedMessage ? toQuote(loadedMessage) : savedQuote), [loadedMessage, savedQuote]);
  const set = useCallback((message: Message) => setSavedQuote(toQuote(message)), [setSavedQuote]);
  const clear = useCallback(() => setSavedQuote(null), [setSavedQuote]);
  return useMemo(() => ({ quote, set, clear }), [quote, set, clear]);
}
