import { useCallback, useEffect, useState } from "react";

export interface Notice {
  text: string;
  isError: boolean;
}

const VISIBLE_MS = 4_000;

/** Manages the notice about the last action; an error stays until it is closed or replaced. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice | null>(null);
  const notify = useCallback((text: string, isError = false) => setNotice({ text, isError }), []);
  const close = useCallback(() => setNotice(null), []);
  useEffect(() => {
    if (!notice || notice.isError) return;
    const timer = setTimeout(close, VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [notice, close]);
  return { notice, notify, close };
}
