/** What a view of a project puts into the project's head, beside its people. */
import { useSyncExternalStore, type ReactNode } from "react";
import { createPortal } from "react-dom";

let container: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** The element in the head; mounted once. */
export function setHeaderActionsContainer(element: HTMLElement | null): void {
  container = element;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function HeaderActions({ children }: { children: ReactNode }) {
  const element = useSyncExternalStore(subscribe, () => container);
  return element && createPortal(children, element);
}
