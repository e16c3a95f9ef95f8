import { useMemo, useState } from "react";
import { useEditing } from "../../../queries/drafts/use-editing.ts";

/** Where this person is at work in the list: what is selected, reached, answered and changed. It does not leave under their hands. */
export function useListState(fileId: number) {
  const [selectedKey, select] = useState<string | null>(null);
  /** The row that had the focus last. */
  const [lastFocusedKey, setLastFocusedKey] = useState<string | null>(null);
  /** The comment that is being answered. */
  const [replyingTo, setReplyingTo] = useState<number | null>(null);
  const editing = useEditing(`file.${fileId}`);
  const { edits } = editing;
  const activeIds = useMemo(() => new Set(replyingTo === null ? edits.keys() : [...edits.keys(), replyingTo]), [edits, replyingTo]);
  return { selectedKey, select, lastFocusedKey, setLastFocusedKey, replyingTo, setReplyingTo, editing, activeIds };
}

export type ListState = ReturnType<typeof useListState>;
