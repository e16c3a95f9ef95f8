/** What was done last and can be taken back: by its toast, or by the key as long as the toast would do. It outlasts the view. */
import { t } from "../../../../lib/messages/file-actions.ts";
import { hideToast, showToast } from "../../../../ui/toast.ts";

let last: { by: number; toast: number; run(): void } | null = null;
/** As long as one remembers what it was. */
const OFFERED_MS = 60_000;

/** Says what was done and offers to take it back to whoever did it, by the account's id; answers how to say no more of it. */
export function offerUndo(by: number, text: string, back: () => void): () => void {
  const run = () => {
    if (last?.toast === toast) last = null;
    hideToast(toast);
    back();
  };
  const toast = showToast({ text, action: { label: t("undo"), run } });
  const mine = { by, toast, run };
  last = mine;
  setTimeout(() => {
    if (last === mine) last = null;
  }, OFFERED_MS);
  return () => {
    if (last === mine) last = null;
    hideToast(toast);
  };
}

/** False where this account has nothing to take back. */
export function undoLast(by: number): boolean {
  if (last?.by !== by) return false;
  last.run();
  return true;
}
