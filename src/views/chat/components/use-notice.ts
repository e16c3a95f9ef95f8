import { useCallback, useEffect, useState } from "react";

export interface Notice {
  text: string;
  isError: boolean;
}

const VISIBLE_MS = 4_000;

/** A word about what was just done. Faults stay until they are closed or something else is told. */
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
