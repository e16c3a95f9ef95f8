/** Tracks whether the page is active: visible and focused. */
import { useSyncExternalStore } from "react";

const FOCUS_EVENTS = ["focus", "blur"] as const;

export const isPageActive = () => document.visibilityState === "visible" && document.hasFocus();

/** Calls `listener` whenever visibility or focus may have changed. Returns an unsubscribe function. */
export function onPageActivityChange(listener: () => void): () => void {
  for (const eventType of FOCUS_EVENTS) addEventListener(eventType, listener);
  document.addEventListener("visibilitychange", listener);
  return () => {
    for (const eventType of FOCUS_EVENTS) removeEventListener(eventType, listener);
    document.removeEventListener("visibilitychange", listener);
  };
}

export const usePageActive = (): boolean => useSyncExternalStore(onPageActivityChange, isPageActive, isPageActive);
