import { useCallback, useMemo } from "react";
import type { Message, Quote } from "../../../../contract/records.ts";
import { useDraftReply } from "../../../queries/drafts/use-draft.ts";
import { quoteOf } from "../../../queries/messages/quotes.ts";

export interface ReplyTarget {
  /** What the next message answers; null: nothing. */
  quote: Quote | null;
  set(message: Message): void;
  clear(): void;
}

/** Which message the next one answers: kept with the draft, told as it stands now where it is loaded. */
export function useReplyTarget(projectId: number, loaded: readonly Message[] | undefined): ReplyTarget {
  const [kept, setKept] = useDraftReply(projectId);
  const current = kept && loaded?.find(({ id }) => id === kept.id);
  const quote = useMemo(() => (current ? quoteOf(current) : kept), [current, kept]);
  const set = useCallback((message: Message) => setKept(quoteOf(message)), [setKept]);
  const clear = useCallback(() => setKept(null), [setKept]);
  return useMemo(() => ({ quote, set, clear }), [quote, set, clear]);
}
