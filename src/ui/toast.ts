/** Short words about what was just done, with one thing that may be done about it. They outlast the view that said them. */
import { announce } from "./announce.ts";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run(): void } | undefined;
  tone: "plain" | "bad";
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** More at once nobody reads: the oldest makes way. */
const MAX_TOASTS = 3;

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast and reads it out; answers its id. */
export function showToast({ text, action, tone = "plain" }: { text: string; action?: Toast["action"]; tone?: Toast["tone"] }): number {
  const toast: Toast = { id: (lastId += 1), text, action, tone };
  setToasts([...toasts, toast].slice(-MAX_TOASTS));
  announce(text);
  return toast.id;
}

export const hideToast = (id: number): void => setToasts(toasts.filter((toast) => toast.id !== id));

/** They are for who is here now, and for nobody else. */
export const clearToasts = (): void => setToasts([]);

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  all: () => toasts,
};
