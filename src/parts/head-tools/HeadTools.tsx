/** What a view of a project puts into the project's head, beside its people. */
import { useSyncExternalStore, type ReactNode } from "react";
import { createPortal } from "react-dom";

let place: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** The element in the head; mounted once. */
export function setHeadPlace(element: HTMLElement | null): void {
  place = element;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function HeadTools({ children }: { children: ReactNode }) {
  const element = useSyncExternalStore(subscribe, () => place);
  return element && createPortal(children, element);
}
