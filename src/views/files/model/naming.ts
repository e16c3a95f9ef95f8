/** Defines a name edit in the files view and where its rejection is shown. */

export interface NameEdit {
  /** An existing entry or a new folder. */
  target: { kind: "entry"; id: number } | { kind: "folder" };
  /** The folder shown when the edit began. */
  folderId: number;
  text: string;
  error: string | null;
  pending: boolean;
}

/** The folder and entries on screen. */
export interface ViewSnapshot {
  /** null once the view is unmounted. */
  folderId: number | null;
  entries: ReadonlySet<number>;
}

/**
 * Returns true if a rejected name reopens its field, which requires that its place is still on screen and no other
 * name is being edited. Otherwise a toast shows the rejection. `current` is the edit active now.
 */
export function shouldReopen(submitted: NameEdit, current: NameEdit | null, { folderId, entries }: ViewSnapshot): boolean {
  if (folderId !== submitted.folderId || (submitted.target.kind === "entry" && !entries.has(submitted.target.id))) return false;
  // The field of a pending edit must still be open. The field of any other edit is closed, so no new edit may be active.
  return submitted.pending ? current === submitted : current === null;
}
