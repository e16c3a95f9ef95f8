/** Whether somebody looks at this page: it is visible and has the focus. */
const FOCUS_EVENTS = ["focus", "blur"] as const;

export const isPageVisible = () => document.visibilityState === "visible" && document.hasFocus();

/** Calls back when the attention may have come or gone. Returns the way to stop. */
export function onPageVisibilityChange(listener: () => void): () => void {
  for (const eventType of FOCUS_EVENTS) addEventListener(eventType, listener);
  document.addEventListener("visibilitychange", listener);
  return () => {
    for (const eventType of FOCUS_EVENTS) removeEventListener(eventType, listener);
    document.removeEventListener("visibilitychange", listener);
  };
}
