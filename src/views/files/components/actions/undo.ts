/** Stores the last undoable action, which its toast or the undo key can undo. The offer outlasts the view. */
import { t } from "../../../../lib/messages/file-actions.ts";
import { hideToast, showToast } from "../../../../ui/toast.ts";

let lastOffer: { accountId: number; toastId: number; run(): void } | null = null;
/** Milliseconds during which the undo key works. */
const UNDO_WINDOW_MS = 60_000;

/** Shows a toast that offers to undo an action of the given account. Returns the function that withdraws the offer. */
export function offerUndo(accountId: number, text: string, onUndo: () => void): () => void {
  const run = () => {
    if (lastOffer?.toastId === toastId) lastOffer = null;
    hideToast(toastId);
    onUndo();
  };
  const toastId = showToast({ text, action: { label: t("undo"), run } });
  const offer = { accountId, toastId, run };
  lastOffer = offer;
  setTimeout(() => {
    if (lastOffer === offer) lastOffer = null;
  }, UNDO_WINDOW_MS);
  return () => {
    if (lastOffer === offer) lastOffer = null;
    hideToast(toastId);
  };
}

/** Undoes the last action. Returns false if this account has nothing to undo. */
export function undoLast(accountId: number): boolean {
  if (lastOffer?.accountId !== accountId) return false;
  lastOffer.run();
  return true;
}
