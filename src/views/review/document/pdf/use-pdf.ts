import { useEffect, useState } from "react";
import { useReadRange } from "../../../../queries/knowledge.ts";
import type { OpenedPdf } from "./open-pdf.ts";

/** Opens the PDF at a record's URL for as long as the component is mounted. Returns null until it is open, and "failed" if it cannot be. */
export function usePdf(url: string, size: number): OpenedPdf | "failed" | null {
  const readRange = useReadRange(url);
  const [state, setState] = useState<{ url: string; pdf: OpenedPdf | "failed" } | null>(null);
  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const store = (pdf: OpenedPdf | "failed") => !signal.aborted && setState({ url, pdf });
    const fail = () => store("failed");
    import("./open-pdf.ts")
      .then(({ openPdf }) => {
        signal.throwIfAborted();
        return openPdf(readRange, size, signal, fail);
      })
      .then(store, fail);
    return () => closing.abort();
  }, [readRange, url, size]);
  return state?.url === url ? state.pdf : null;
}
