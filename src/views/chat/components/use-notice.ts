import { useCallback, useEffect, useState } from "react";

export interface Notice {
  text: string;
  fault: boolean;
}

const SHOWN_MS = 4_000;

/** A word about what was just done. Faults stay until they are closed or something else is told. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice | null>(null);
  const tell = useCallback((text: string, fault = false) => setNotice({ text, fault }), []);
  const close = useCallback(() => setNotice(null), []);
  useEffect(() => {
    if (!notice || notice.fault) return;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, close]);
  return { notice, tell, close };
}
