import { useMemo, useState } from "react";
import { useEditing } from "../../../queries/drafts/use-editing.ts";

/** Where this person is at work in the list: what is selected, reached, answered and changed. It does not leave under their hands. */
export function useHands(fileId: number) {
  const [selected, select] = useState<string | null>(null);
  /** The row that had the focus last. */
  const [reached, reach] = useState<string | null>(null);
  /** The comment that is being answered. */
  const [replying, reply] = useState<number | null>(null);
  const editing = useEditing(`file.${fileId}`);
  const { edits } = editing;
  const busy = useMemo(() => new Set(replying === null ? edits.keys() : [...edits.keys(), replying]), [edits, replying]);
  return { selected, select, reached, reach, replying, reply, editing, busy };
}

export type Hands = ReturnType<typeof useHands>;
