/** Where the others have read up to, as the timeline shows it. */
import type { Message, ReaderMark } from "../../../../contract/records.ts";

/**
 * Who has read up to which of these messages: who has written has been there, told or not. Nobody is shown beside what they wrote themselves,
 * nor where the messages that they have read up to are not loaded.
 */
export function marksByMessage(
  messages: readonly Message[],
  marks: readonly ReaderMark[],
  { accountId, hasMoreAfter }: { accountId: number; hasMoreAfter: boolean },
): ReadonlyMap<number, readonly number[]> {
  const shown = messages.filter(({ deleted }) => !deleted);
  const first = shown[0]?.id ?? Number.POSITIVE_INFINITY;
  const last = shown.at(-1)?.id ?? 0;
  const readers = new Map<number, number[]>();
  const written = new Map(shown.map((message) => [message.account_id, message.id]));
  for (const { account_id, last_read_message_id } of marks) {
    const read = Math.max(last_read_message_id, written.get(account_id) ?? 0);
    if (account_id === accountId || read < first || (read > last && hasMoreAfter)) continue;
    const at = shown.findLast(({ id }) => id <= read);
    if (at && at.account_id !== account_id) readers.set(at.id, [...(readers.get(at.id) ?? []), account_id]);
  }
  return readers;
}
