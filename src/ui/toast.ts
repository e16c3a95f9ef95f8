/** Short words about what was just done, with one thing that may be done about it. They outlast the view that said them. */
import { announce } from "./announce.ts";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run(): void } | undefined;
  tone: "plain" | "bad";
}

let toasts: readonly Toast[] = [];
let ids = 0;
const listeners = new Set<() => void>();
/** More at once nobody reads: the oldest makes way. */
const MOST = 3;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast and reads it out; answers its id. */
export function showToast({ text, action, tone = "plain" }: { text: string; action?: Toast["action"]; tone?: Toast["tone"] }): number {
  const toast: Toast = { id: (ids += 1), text, action, tone };
  set([...toasts, toast].slice(-MOST));
  announce(text);
  return toast.id;
}

export const hideToast = (id: number): void => set(toasts.filter((one) => one.id !== id));

/** They are for who is here now, and for nobody else. */
export const clearToasts = (): void => set([]);

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  all: () => toasts,
};
