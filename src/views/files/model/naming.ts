/** A name that is being written in the files view, and where it is told that it was refused. */

export interface NameEdit {
  /** An entry, or a folder that is to be. */
  target: { kind: "entry"; id: number } | { kind: "folder" };
  /** The folder that was shown when it was begun. */
  folderId: number;
  text: string;
  error: string | null;
  pending: boolean;
}

/** What a person has before them. */
export interface ViewSnapshot {
  /** Null once the view is gone. */
  folderId: number | null;
  entries: ReadonlySet<number>;
}

/**
 * A refused name comes back in its field where that is still in sight and nobody writes another name there; else a toast tells it.
 * `current`: what is being written by now.
 */
export function shouldReopen(submitted: NameEdit, current: NameEdit | null, { folderId, entries }: ViewSnapshot): boolean {
  if (folderId !== submitted.folderId || (submitted.target.kind === "entry" && !entries.has(submitted.target.id))) return false;
  // A field that waits for the answer is still there, or was left meanwhile.
  return submitted.pending ? current === submitted : current === null;
}
