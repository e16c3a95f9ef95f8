/** Moving, deleting, protecting: done at once, told in a toast that outlasts the view, taken back where it is refused or not meant. */
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { deleteRefusal, mayRename, moveRefusal, placeRefusal, protectedOf, type Me } from "../../../../queries/file-actions/permissions.ts";
import type { FileActs } from "../../../../queries/file-actions/use-file-acts.ts";
import type { Tree } from "../../../../queries/file-lists/tree.ts";
import { explain } from "../../../../queries/problems.ts";
import { showToast } from "../../../../ui/toast.ts";
import { offerUndo } from "./undo.ts";

/** The reason in one sentence or two. */
export function reasonOf(error: unknown): string {
  const { title, help } = explain(error);
  const end = /[.!?]$/.test(title) ? title : `${title}.`;
  return help === undefined ? end : `${end} ${help}`;
}
const bad = (text: string) => void showToast({ text, tone: "bad" });
const told = (entries: readonly FileEntry[]) => ({ count: entries.length, name: entries[0]?.name ?? "" });

export function protect(acts: FileActs, entry: FileEntry, protections: Parameters<FileActs["protectEntry"]>[1]): Promise<void> {
  return acts.protectEntry(entry, protections).then(
    () => undefined,
    (error: unknown) => bad(reasonOf(error)),
  );
}

/** Says why, with the way on where one may take it. */
function refuseProtected(acts: FileActs, me: Me, entries: readonly FileEntry[], text: string): void {
  const kept = protectedOf(entries);
  if (kept.length === 0 || !mayRename(me)) return bad(text);
  const run = () => void Promise.all(kept.map((entry) => protect(acts, entry, { removal_protection: false })));
  showToast({ text, tone: "bad", action: { label: t("unprotect"), run } });
}

/** Moves into a folder, or says why not. */
export async function move(acts: FileActs, me: Me, entries: readonly FileEntry[], to: { id: number; name: string }, tree: Tree): Promise<void> {
  const refusal = moveRefusal(me, entries);
  if (refusal !== null) return refuseProtected(acts, me, entries, refusal);
  const impossible = placeRefusal(entries, to.id, tree);
  if (impossible !== null) return bad(impossible);
  const moving = entries.filter(({ parent_id }) => parent_id !== to.id);
  const done = acts.moveEntries(moving, to.id);
  const withdraw = offerUndo(me.accountId, t("moved", { ...told(moving), folder: to.name }), () => {
    done
      .then(() => acts.moveBack(moving))
      .then(
        () => void showToast({ text: t("movedBack") }),
        (error: unknown) => bad(t("notMovedBack", { reason: reasonOf(error) })),
      );
  });
  await done.catch((error: unknown) => {
    withdraw();
    bad(t("notMoved", { reason: reasonOf(error) }));
  });
}

/** Deletes, or says why not. `nameOfFolder`: to tell where something came back. */
export async function remove(acts: FileActs, me: Me, entries: readonly FileEntry[], nameOfFolder: (id: number) => string | undefined): Promise<void> {
  const refusal = deleteRefusal(me, entries);
  if (refusal !== null) return refuseProtected(acts, me, entries, refusal);
  const done = acts.deleteEntries(entries);
  const withdraw = offerUndo(me.accountId, t("deleted", told(entries)), () => {
    done
      .then(() => acts.restoreEntries(entries.map(({ id }) => id)))
      .then(
        (back) => void showToast({ text: backWords(entries, back, nameOfFolder) }),
        (error: unknown) => bad(t("notRestored", { reason: reasonOf(error) })),
      );
  });
  await done.catch((error: unknown) => {
    withdraw();
    bad(t("notDeleted", { reason: reasonOf(error) }));
  });
}

/** How what was brought back stands now, where that differs from before. */
export function backWords(before: readonly FileEntry[], back: readonly FileEntry[], nameOfFolder: (id: number) => string | undefined): string {
  for (const was of before) {
    const now = back.find(({ id }) => id === was.id);
    if (!now) continue;
    if (now.parent_id !== was.parent_id) return t("restoredIn", { name: was.name, folder: nameOfFolder(now.parent_id ?? 0) ?? "" });
    if (now.name !== was.name) return t("restoredAs", { name: was.name, now: now.name });
  }
  return t("restored", told(before));
}
