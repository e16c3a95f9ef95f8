/** A name that is being written in the files view, and where it is told that it was refused. */

export interface Naming {
  /** An entry, or a folder that is to be. */
  of: { kind: "entry"; id: number } | { kind: "folder" };
  /** The folder that was shown when it was begun. */
  folderId: number;
  text: string;
  fault: string | null;
  pending: boolean;
}

/** What a person has before them. */
export interface Sight {
  /** Null once the view is gone. */
  folderId: number | null;
  entries: ReadonlySet<number>;
}

/**
 * A refused name comes back in its field where that is still in sight and nobody writes another name there; else a toast tells it.
 * `now`: what is being written by now.
 */
export function comesBack(sent: Naming, now: Naming | null, { folderId, entries }: Sight): boolean {
  if (folderId !== sent.folderId || (sent.of.kind === "entry" && !entries.has(sent.of.id))) return false;
  // A field that waits for the answer is still there, or was left meanwhile.
  return sent.pending ? now === sent : now === null;
}
