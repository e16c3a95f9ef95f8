import { useMemo, useState } from "react";
import { useEditing } from "../../../queries/drafts/use-editing.ts";

/** Holds the user's state in the comment list: selection, last focused row, open reply, and edits. Comments in use stay in the list. */
export function useListState(fileId: number) {
  const [selectedKey, select] = useState<string | null>(null);
  /** The row that was focused last. */
  const [lastFocusedKey, setLastFocusedKey] = useState<string | null>(null);
  /** Id of the comment with an open reply form. */
  const [replyingTo, setReplyingTo] = useState<number | null>(null);
  const editing = useEditing(`file.${fileId}`);
  const { edits } = editing;
  const activeIds = useMemo(() => new Set(replyingTo === null ? edits.keys() : [...edits.keys(), replyingTo]), [edits, replyingTo]);
  return { selectedKey, select, lastFocusedKey, setLastFocusedKey, replyingTo, setReplyingTo, editing, activeIds };
}

export type ListState = ReturnType<typeof useListState>;
