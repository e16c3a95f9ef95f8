/** Stores unsaved edits of messages and comments by id, so that they survive scrolling and navigation. */
import { useMemo } from "react";
import { useClient } from "../../client/client.ts";
import { createStore, useStore } from "../../lib/store.ts";
import { t } from "../../lib/texts/message-text.ts";
import { describeError } from "../../queries/describe-error.ts";
import { useSession } from "../../queries/session.ts";
import { checkText, type EditableText, type Mention, shiftMentions } from "./draft-text.ts";

export interface Edit extends EditableText {
  /** The text when editing began; an unchanged text needs no saving. */
  originalText: string;
  /** True between submission and response, while the new text is already shown. */
  isSaving: boolean;
  /** Why saving failed; the edited text is kept. */
  error: string | null;
}

export type Editing = Omit<EditStore, "subscribe" | "get"> & { edits: ReadonlyMap<number, Edit> };
type EditScope = `project.${number}` | `file.${number}`;

/** Returns which messages of a project, or comments of a file, are being edited. */
export function useEditing(scope: EditScope): Editing {
  const { account } = useSession();
  const store = useClient().drafts.edits(account.id, scope);
  const edits = useStore(store);
  return useMemo(() => ({ ...store, edits }), [store, edits]);
}

/** Returns the unsaved edits of an account in a scope. */
export type Edits = (accountId: number, scope: EditScope) => EditStore;

export function createEdits(): Edits {
  const stores = new Map<string, EditStore>();
  return (accountId, scope) => {
    const key = `${accountId}:${scope}`;
    const existing = stores.get(key) ?? createEditStore();
    stores.set(key, existing);
    return existing;
  };
}

export type EditStore = ReturnType<typeof createEditStore>;

export function createEditStore() {
  const { get, set, subscribe } = createStore<ReadonlyMap<number, Edit>>(new Map());
  /** The latest save in flight of each edit; the responses to older saves no longer change the edit. */
  const saves = new Map<number, { body: string }>();
  const change = (id: number, patch: (current: Edit) => Partial<Edit>) => {
    const current = get().get(id);
    if (current) set(new Map(get()).set(id, { ...current, ...patch(current) }));
  };
  const stop = (id: number) => {
    saves.delete(id);
    set(new Map([...get()].filter(([editId]) => editId !== id)));
  };
  return {
    /** Returns all edits by id; several when one starts before another is saved. The same map until something changes. */
    get,
    /** Starts or resumes an edit, also while it is being saved, and ends other edits whose text is unchanged. */
    start(id: number, editable: EditableText) {
      const remaining = [...get()].filter(([editId, current]) => editId === id || current.isSaving || current.text !== current.originalText);
      const existing = get().get(id);
      if (!existing) saves.delete(id);
      set(new Map(remaining).set(id, existing ? { ...existing, isSaving: false } : { ...editable, originalText: editable.text, isSaving: false, error: null }));
    },
    /** `addedMentions` are the mentions that this change adds. */
    setText: (id: number, text: string, addedMentions: readonly Mention[] = []) =>
      change(id, (current) => ({ text, mentions: [...shiftMentions(current.mentions, current.text, text), ...addedMentions], error: null })),
    /** Saves the body unless it equals the stored one. Ends the edit once it is saved, and otherwise shows why not. */
    save(id: number, { body, storedBody }: { body: string; storedBody: string }, request: () => Promise<unknown>) {
      // The stored body may be a text that is still being saved.
      if (body === storedBody) {
        if (saves.get(id)?.body === body) change(id, () => ({ isSaving: true, error: null }));
        else stop(id);
        return;
      }
      const savedText = get().get(id)?.text;
      const save = { body };
      saves.set(id, save);
      /** Ends this save; returns false if it no longer belongs to the edit. */
      const endSave = () => saves.get(id) === save && saves.delete(id);
      change(id, () => ({ isSaving: true, error: null }));
      request().then(
        () => {
          if (!endSave()) return;
          const current = get().get(id);
          // An edit that was started again, or whose text changed while the request was in flight, stays open.
          if (current && (!current.isSaving || checkText(current).body !== body))
            change(id, () => ({ isSaving: false, originalText: savedText ?? current.originalText }));
          else stop(id);
        },
        (error: unknown) => {
          if (endSave()) change(id, () => ({ isSaving: false, error: t("notSaved", { reason: describeError(error).title }) }));
        },
      );
    },
    stop,
    subscribe,
  };
}
