/** Which actions a selection has: those that never may be done are not among them, those that just now cannot say why. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import { deleteRefusal, mayRename, moveRefusal, tooMany, type Me } from "../../../queries/file-actions/permissions.ts";

export type Action = "open" | "download" | "rename" | "move" | "status" | "versions" | "addVersion" | "protection" | "copyLink" | "delete";

export interface Offer {
  action: Action;
  /** Why it cannot be done now, or null. */
  refusal: string | null;
}

export function offersFor(entries: readonly FileEntry[], me: Me, uploadsOff: string | null): Offer[] {
  const [first] = entries;
  if (!first) return [];
  const one = entries.length === 1;
  const works = mayRename(me);
  const all: (Offer & { shown: boolean })[] = [
    { action: "open", shown: one, refusal: null },
    { action: "download", shown: true, refusal: tooMany(entries) },
    { action: "rename", shown: one && works, refusal: null },
    { action: "move", shown: true, refusal: moveRefusal(me, entries) },
    { action: "status", shown: works && entries.some(({ is_folder }) => !is_folder), refusal: tooMany(entries) },
    { action: "versions", shown: one && !first.is_folder, refusal: null },
    { action: "addVersion", shown: one && !first.is_folder, refusal: uploadsOff },
    { action: "protection", shown: one && works, refusal: null },
    { action: "copyLink", shown: true, refusal: null },
    { action: "delete", shown: true, refusal: deleteRefusal(me, entries) },
  ];
  // The project's own folder stays where it is, as it is.
  const fixed: ReadonlySet<Action> = first.parent_id === null ? new Set(["rename", "move", "protection", "delete"]) : new Set();
  return all.filter(({ action, shown }) => shown && !fixed.has(action)).map(({ action, refusal }) => ({ action, refusal }));
}
