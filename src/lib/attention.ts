/** Whether somebody looks at this page: it is visible and has the focus. */
const CHANGES = ["focus", "blur"] as const;

export const isAttentive = () => document.visibilityState === "visible" && document.hasFocus();

/** Calls back when the attention may have come or gone. Returns the way to stop. */
export function onAttention(listener: () => void): () => void {
  for (const change of CHANGES) addEventListener(change, listener);
  document.addEventListener("visibilitychange", listener);
  return () => {
    for (const change of CHANGES) removeEventListener(change, listener);
    document.removeEventListener("visibilitychange", listener);
  };
}
