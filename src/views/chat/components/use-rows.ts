import { useMemo } from "react";
import { useUndoableDeletions } from "../../../queries/messages/deleted-here.ts";
import type { History } from "../../../queries/messages/history.ts";
import type { OutboxEntry } from "../../../queries/outbox/outbox.ts";
import { useReaders } from "../../../queries/readers/use-readers.ts";
import { readersByMessage } from "../model/read-marks.ts";
import { buildRows } from "../model/rows.ts";
import type { Edit } from "../../../queries/drafts/edits.ts";

interface Input {
  projectId: number;
  accountId: number;
  history: History | undefined;
  entries: readonly OutboxEntry[];
  edits: ReadonlyMap<number, Edit>;
  unreadAfter: number | null;
  isManuallyUnread: boolean;
}

/** Builds the timeline's rows and the readers of each message. */
export function useRows({ projectId, accountId, history, entries, edits, unreadAfter, isManuallyUnread }: Input) {
  const undoableDeletions = useUndoableDeletions(accountId);
  const editedIds = [...edits.keys()].join();
  const rows = useMemo(
    () => (history ? buildRows({ ...history, entries, unreadAfter, isManuallyUnread, accountId, undoableDeletions, activeEdits: edits }) : []),
    // Depends on which messages are edited, not on the text typed into them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [history, entries, unreadAfter, isManuallyUnread, accountId, undoableDeletions, editedIds],
  );
  const readerMarks = useReaders(projectId);
  const readers = useMemo(
    () => readersByMessage(history?.messages ?? [], readerMarks ?? [], { accountId, hasMoreAfter: history?.hasMoreAfter ?? false }),
    [history, readerMarks, accountId],
  );
  return { rows, readers };
}
