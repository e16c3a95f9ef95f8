/** What was done last and can be taken back: by its toast, or by the key as long as the toast would do. It outlasts the view. */
import { t } from "../../../../lib/messages/file-actions.ts";
import { hideToast, showToast } from "../../../../ui/toast.ts";

let last: { toast: number; run(): void } | null = null;
/** As long as one remembers what it was. */
const OFFERED_MS = 60_000;

/** Says what was done and offers to take it back; answers how to say no more of it. */
export function offerUndo(text: string, back: () => void): () => void {
  const run = () => {
    if (last?.toast === toast) last = null;
    hideToast(toast);
    back();
  };
  const toast = showToast({ text, action: { label: t("undo"), run } });
  const mine = { toast, run };
  last = mine;
  setTimeout(() => {
    if (last === mine) last = null;
  }, OFFERED_MS);
  return () => {
    if (last === mine) last = null;
    hideToast(toast);
  };
}

/** False where there is nothing to take back. */
export function undoLast(): boolean {
  if (!last) return false;
  last.run();
  return true;
}
