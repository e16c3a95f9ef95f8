/** Toasts: short messages about a completed action, each with at most one follow-up action. They outlive the view that showed them. */
import { createContext, use } from "react";
import { ToastQueue } from "react-stately/useToastState";

export interface Toast {
  text: string;
  action?: { label: string; run(): void } | undefined;
  tone?: "neutral" | "danger";
}

/** Maximum number of toasts; another one replaces the oldest. */
const MAX_TOASTS = 3;
/** Long enough to read, understand and reach by keyboard; the timers pause while a toast is hovered or focused. */
const TOAST_DURATION_MS = 15_000;
/** Milliseconds during which the undo key works. */
const UNDO_WINDOW_MS = 60_000;

export type Toasts = ReturnType<typeof createToasts>;

/** Creates the toasts of one account. */
export function createToasts() {
  const queue = new ToastQueue<Toast>({ maxVisibleToasts: MAX_TOASTS });
  /** The last undoable action, which its toast or the undo key can undo, even after the view is closed. */
  let lastUndo: { run(): void } | null = null;

  /** Shows a toast, which screen readers read. Returns its key. */
  function show(toast: Toast): string {
    for (const { key } of queue.visibleToasts.slice(MAX_TOASTS - 1)) queue.close(key);
    return queue.add(toast, { timeout: TOAST_DURATION_MS });
  }
  return {
    queue,
    show,
    showError: (text: string) => void show({ text, tone: "danger" }),
    /** Shows a toast that offers to undo an action. Returns the function that withdraws the offer. */
    offerUndo(text: string, label: string, onUndo: () => void): () => void {
      const withdraw = () => {
        if (lastUndo === undo) lastUndo = null;
        queue.close(key);
      };
      const undo = {
        run() {
          withdraw();
          onUndo();
        },
      };
      const key = show({ text, action: { label, run: undo.run } });
      lastUndo = undo;
      setTimeout(() => {
        if (lastUndo === undo) lastUndo = null;
      }, UNDO_WINDOW_MS);
      return withdraw;
    },
    /** Undoes the last action. Returns false if there is nothing to undo. */
    undoLast(): boolean {
      const undo = lastUndo;
      undo?.run();
      return undo !== null;
    },
  };
}

export const ToastsContext = createContext<Toasts | null>(null);

export function useToasts(): Toasts {
  const toasts = use(ToastsContext);
  if (!toasts) throw new Error("useToasts needs a ToastsContext");
  return toasts;
}
