/** Stores toasts: short messages about a completed action, each with at most one follow-up action. They outlive the view that showed them. */
import { announce } from "./announce.ts";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run(): void } | undefined;
  tone: "neutral" | "danger";
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** Maximum number of toasts; another one replaces the oldest. */
const MAX_TOASTS = 3;

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows and announces a toast. Returns its id. */
export function showToast({ text, action, tone = "neutral" }: { text: string; action?: Toast["action"]; tone?: Toast["tone"] }): number {
  const toast: Toast = { id: (lastId += 1), text, action, tone };
  setToasts([...toasts, toast].slice(-MAX_TOASTS));
  announce(text);
  return toast.id;
}

export const hideToast = (id: number): void => setToasts(toasts.filter((toast) => toast.id !== id));

/** Removes all toasts, which are meant only for the current user. */
export const clearToasts = (): void => setToasts([]);

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  all: () => toasts,
};
