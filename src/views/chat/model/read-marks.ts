/** Where the others have read up to, as the timeline shows it. */
import type { Message, ReaderMark } from "../../../../contract/records.ts";

/**
 * Who has read up to which of these messages: who has written has been there, told or not. Nobody is shown beside what they wrote themselves,
 * nor where the messages that they have read up to are not loaded.
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
