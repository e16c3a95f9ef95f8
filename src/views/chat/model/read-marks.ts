/** Maps other people's read positions to messages. */
import type { Message, ReaderMark } from "../../../../contract/records.ts";

/**
 * Returns the readers by the last message each has read. Writing a message counts as reading up to it, reported or not. An account is left out if
 * that message is its own or is not loaded.
 */
export function readersByMessage(
  messages: readonly Message[],
  readerMarks: readonly ReaderMark[],
  { accountId, hasMoreAfter }: { accountId: number; hasMoreAfter: boolean },
): ReadonlyMap<number, readonly number[]> {
  const visibleMessages = messages.filter(({ deleted }) => !deleted);
  const firstId = visibleMessages[0]?.id ?? Number.POSITIVE_INFINITY;
  const lastId = visibleMessages.at(-1)?.id ?? 0;
  const readers = new Map<number, number[]>();
  const lastWrittenIds = new Map(visibleMessages.map((message) => [message.account_id, message.id]));
  for (const { account_id, last_read_message_id } of readerMarks) {
    const lastReadId = Math.max(last_read_message_id, lastWrittenIds.get(account_id) ?? 0);
    if (account_id === accountId || lastReadId < firstId || (lastReadId > lastId && hasMoreAfter)) continue;
    const lastReadMessage = visibleMessages.findLast(({ id }) => id <= lastReadId);
    if (lastReadMessage && lastReadMessage.account_id !== account_id) readers.set(lastReadMessage.id, [...(readers.get(lastReadMessage.id) ?? []), account_id]);
  }
  return readers;
}
