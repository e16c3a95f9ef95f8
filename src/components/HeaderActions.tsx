/** Renders a view's actions into the project header, beside the members. */
import { useSyncExternalStore, type ReactNode } from "react";
import { createPortal } from "react-dom";

let container: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Sets the container in the header, which is mounted once. */
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
