import { useMemo } from "react";
import { useDeletedHere } from "../../../queries/messages/deleted-here.ts";
import type { History } from "../../../queries/messages/history.ts";
import type { OutboxEntry } from "../../../queries/outbox/outbox.ts";
import { useReaders } from "../../../queries/readers/use-readers.ts";
import { marksByMessage } from "../model/read-marks.ts";
import { buildRows } from "../model/rows.ts";
import type { Edit } from "../../../queries/drafts/edits.ts";

interface Input {
  projectId: number;
  accountId: number;
  history: History | undefined;
  entries: readonly OutboxEntry[];
  edits: ReadonlyMap<number, Edit>;
  unreadAfter: number | null;
  unreadByHand: boolean;
}

/** What the timeline shows, and who has read up to which of its messages. */
export function useRows({ projectId, accountId, history, entries, edits, unreadAfter, unreadByHand }: Input) {
  const deletedHere = useDeletedHere(accountId);
  const editedIds = [...edits.keys()].join();
  const rows = useMemo(
    () => (history ? buildRows({ ...history, entries, unreadAfter, unreadByHand, accountId, deletedHere, edited: edits }) : []),
    // Which messages are edited counts, not what is typed into them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [history, entries, unreadAfter, unreadByHand, accountId, deletedHere, editedIds],
  );
  const marks = useReaders(projectId);
  const readers = useMemo(
    () => marksByMessage(history?.messages ?? [], marks ?? [], { accountId, hasMoreAfter: history?.hasMoreAfter ?? false }),
    [history, marks, accountId],
  );
  return { rows, readers };
}
