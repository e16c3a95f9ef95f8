import { useEffect, useRef, useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { useClient } from "../../../client/client.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import * as mutations from "../../../queries/file-lists/file-mutations.ts";
import { useIdempotencyKey } from "../../../queries/operations.ts";
import { announce } from "../../../ui/announce.ts";
import { useToasts } from "../../../ui/toast.ts";
import type { FilesContextValue } from "../files-context.ts";
import { uniqueName } from "../names.ts";
import type { NameDraft } from "./RenameField.tsx";

const EMPTY_VIEW: ViewSnapshot = { folderId: null, entries: new Set() };

/** Manages the one active name edit of the view, for an entry or a new folder. A rejected name stays in the field with the reason. */
export function useNameEditing(context: FilesContextValue) {
  const { folder, tree, entries } = context;
  const client = useClient();
  const toasts = useToasts();
  const [nameEdit, setNameEdit] = useState<NameEdit | null>(null);
  /** The active edit, which response handlers read. */
  const latest = useRef(nameEdit);
  const updateEdit = (next: NameEdit | null) => {
    latest.current = next;
    setNameEdit(next);
  };
  const idempotencyKeyFor = useIdempotencyKey();
  const view = useRef(EMPTY_VIEW);
  useEffect(() => {
    view.current = { folderId: folder.id, entries: new Set(entries.map(({ id }) => id)) };
    return () => void (view.current = EMPTY_VIEW);
  }, [folder.id, entries]);
  useEffect(() => {
    // An edit that began in the previous folder does not apply here.
    if (latest.current && latest.current.folderId !== folder.id) updateEdit(null);
  }, [folder.id]);

  function handleFailure(submitted: NameEdit, error: unknown, messageKey: "notRenamed" | "folderNotCreated", name: string) {
    const reason = formatErrorReason(error);
    if (shouldReopen(submitted, latest.current, view.current)) updateEdit({ ...submitted, error: reason, isPending: false, draft: { current: null } });
    else toasts.showError(t(messageKey, { name, reason }));
  }
  /** Shows the new name at once. If the name is rejected, the field reopens with its text. */
  async function rename(submitted: NameEdit, entry: FileEntry) {
    updateEdit(null);
    if (submitted.text === entry.name) return;
    try {
      await mutations.updateEntry(client, entry, { name: submitted.text });
      announce(t("renamed", { name: submitted.text }));
    } catch (error) {
      handleFailure(submitted, error, "notRenamed", entry.name);
    }
  }
  async function createFolder(edit: NameEdit, isBlur: boolean) {
    const submitted: NameEdit = { ...edit, error: null, isPending: true };
    updateEdit(submitted);
    try {
      const created = await mutations.createFolder(client, folder, submitted.text, idempotencyKeyFor([folder.id, submitted.text]));
      if (latest.current === submitted) {
        updateEdit(null);
        if (!isBlur) context.selection.focusEntry(created.id);
      }
      announce(t("folderCreated", { name: submitted.text }));
    } catch (error) {
      handleFailure(submitted, error, "folderNotCreated", submitted.text);
    }
  }
  const startEdit = (entryId: number | null, text: string) =>
    updateEdit({ entryId, folderId: folder.id, text, error: null, isPending: false, draft: { current: null } });
  return {
    nameEdit: nameEdit?.folderId === folder.id ? nameEdit : null,
    rename: (entry: FileEntry) => startEdit(entry.id, entry.name),
    newFolder() {
      // Recent does not list the folders.
      const existingNames = [...entries, ...tree.childrenOf(folder.id)].map(({ name }) => name);
      startEdit(null, uniqueName(t("untitled"), existingNames));
    },
    /** `isBlur` is true if the field lost the focus, which then stays where the user moved it, and false after Enter or Escape. */
    submitName(text: string, isBlur: boolean) {
      if (!nameEdit) return;
      if (nameEdit.entryId === null) return void createFolder({ ...nameEdit, text }, isBlur);
      const entry = entries.find(({ id }) => id === nameEdit.entryId);
      if (!entry) return updateEdit(null);
      if (!isBlur) context.selection.focusEntry(entry.id);
      void rename({ ...nameEdit, text }, entry);
    },
    cancelName(isBlur: boolean) {
      if (nameEdit && nameEdit.entryId !== null && !isBlur) context.selection.focusEntry(nameEdit.entryId);
      updateEdit(null);
    },
  };
}

/** An edit of an entry's name, or of the name of a new folder. */
export interface NameEdit {
  /** Null for a new folder. */
  entryId: number | null;
  /** The folder shown when the edit began. */
  folderId: number;
  text: string;
  error: string | null;
  isPending: boolean;
  /** What is typed, in the field that a list that rerenders may remount. */
  draft: { current: NameDraft | null };
}

/** The folder and entries on screen. */
interface ViewSnapshot {
  /** null once the view is unmounted. */
  folderId: number | null;
  entries: ReadonlySet<number>;
}

/**
 * Returns true if a rejected name reopens its field, which requires that the folder and entry are still on screen and no other
 * name is being edited. Otherwise a toast shows the rejection. `current` is the edit active now.
 */
export function shouldReopen(submitted: NameEdit, current: NameEdit | null, { folderId, entries }: ViewSnapshot): boolean {
  if (folderId !== submitted.folderId || (submitted.entryId !== null && !entries.has(submitted.entryId))) return false;
  // The field of a pending edit must still be open. The field of any other edit is closed, so no new edit may be active.
  return submitted.isPending ? current === submitted : current === null;
}
