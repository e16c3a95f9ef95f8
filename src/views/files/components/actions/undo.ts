/** What was done last and can be taken back: by its toast, or by the key as long as the toast would do. It outlasts the view. */
import { t } from "../../../../lib/messages/file-actions.ts";
import { hideToast, showToast } from "../../../../ui/toast.ts";

let lastOffer: { accountId: number; toastId: number; run(): void } | null = null;
/** As long as one remembers what it was. */
const UNDO_WINDOW_MS = 60_000;

/** Says what was done and offers to take it back to whoever did it, by the account's id; answers how to say no more of it. */
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

/** False where this account has nothing to take back. */
export function undoLast(accountId: number): boolean {
  if (lastOffer?.accountId !== accountId) return false;
  lastOffer.run();
  return true;
}
