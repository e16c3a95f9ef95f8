import { useCallback, useState } from "react";
import { renamed } from "../../../queries/drafts/drafts.ts";
import type { Typed } from "../model/typed.ts";

/** A message's text while it is being changed. */
export interface Edit extends Typed {
  /** As it was when editing began: what is still the same needs no saving. */
  before: string;
  /** Saved, and not yet answered: the message shows the new text already. */
  saving: boolean;
  /** Why it could not be saved; the text is kept beside it. */
  fault: string | null;
}

export interface Editing {
  /** By message id. Several, where one was begun before another was saved. */
  edits: ReadonlyMap<number, Edit>;
  /** Begins, or goes on where it was left; others whose text is untouched end. */
  edit(messageId: number, typed: Typed): void;
  type(messageId: number, text: string): void;
  change(messageId: number, change: Partial<Edit>): void;
  stop(messageId: number): void;
}

/** Which messages are being edited. Kept above the rows: a row that scrolls out of sight keeps its text. */
export function useEditing(): Editing {
  const [edits, setEdits] = useState<ReadonlyMap<number, Edit>>(() => new Map());
  const edit = useCallback(
    (messageId: number, typed: Typed) =>
      setEdits((all) => {
        const kept = [...all].filter(([id, one]) => id === messageId || one.saving || one.text !== one.before);
        return new Map(kept).set(messageId, all.get(messageId) ?? { ...typed, before: typed.text, saving: false, fault: null });
      }),
    [],
  );
  const change = useCallback(
    (messageId: number, changed: Partial<Edit>) =>
      setEdits((all) => {
        const one = all.get(messageId);
        return one ? new Map(all).set(messageId, { ...one, ...changed }) : all;
      }),
    [],
  );
  const type = useCallback(
    (messageId: number, text: string) =>
      setEdits((all) => {
        const one = all.get(messageId);
        return one ? new Map(all).set(messageId, { ...one, text, named: renamed(one.named, one.text, text), fault: null }) : all;
      }),
    [],
  );
  const stop = useCallback((messageId: number) => setEdits((all) => new Map([...all].filter(([id]) => id !== messageId))), []);
  return { edits, edit, type, change, stop };
}
