import { useMemo } from "react";
import type { Message, MemberReadMarker } from "../../../../contract/records.ts";
import type { History } from "../../../queries/messages/history.ts";
import { useReaders } from "../../../queries/messages/use-read-markers.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { useUndoableDeletions } from "../../../sync/undoable-deletions.ts";
import { buildRows, type RowsInput } from "./rows.ts";

interface Input extends Pick<RowsInput, "entries" | "unreadAfter" | "isManuallyUnread"> {
  projectId: number;
  accountId: number;
  history: History | undefined;
  edits: ReadonlyMap<number, Edit>;
}

export function useRows({ projectId, accountId, history, entries, edits, unreadAfter, isManuallyUnread }: Input) {
  const undoableDeletions = useUndoableDeletions(accountId);
  const editedIds = [...edits.keys()].join();
  const rows = useMemo(
    () => (history ? buildRows({ ...history, entries, unreadAfter, isManuallyUnread, accountId, undoableDeletions, activeEdits: edits }) : []),
    // Depends on which messages are edited, not on the text typed into them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [history, entries, unreadAfter, isManuallyUnread, accountId, undoableDeletions, editedIds],
  );
  const readMarkers = useReaders(projectId);
  const readers = useMemo(
    () => readersByMessage(history?.messages ?? [], readMarkers ?? [], { accountId, hasMoreAfter: history?.hasMoreAfter ?? false }),
    [history, readMarkers, accountId],
  );
  return { rows, readers };
}

/**
 * Returns the account ids of other people by the id of the last message that each has read. Writing a message counts as reading up to it, even without a
 * read marker. An account is left out if its last read message is its own or is not loaded.
 */
export function readersByMessage(
  messages: readonly Message[],
  readMarkers: readonly MemberReadMarker[],
  { accountId, hasMoreAfter }: { accountId: number; hasMoreAfter: boolean },
): ReadonlyMap<number, readonly number[]> {
  const visibleMessages = messages.filter(({ deleted }) => !deleted);
  const firstId = visibleMessages[0]?.id ?? Number.POSITIVE_INFINITY;
  const lastId = visibleMessages.at(-1)?.id ?? 0;
  const readers = new Map<number, number[]>();
  const lastWrittenIds = new Map(visibleMessages.map((message) => [message.account_id, message.id]));
  for (const { account_id, last_read_message_id } of readMarkers) {
    const lastReadId = Math.max(last_read_message_id, lastWrittenIds.get(account_id) ?? 0);
    if (account_id === accountId || lastReadId < firstId || (lastReadId > lastId && hasMoreAfter)) continue;
    const lastReadMessage = visibleMessages.findLast(({ id }) => id <= lastReadId);
    if (lastReadMessage && lastReadMessage.account_id !== account_id) readers.set(lastReadMessage.id, [...(readers.get(lastReadMessage.id) ?? []), account_id]);
  }
  return readers;
}
