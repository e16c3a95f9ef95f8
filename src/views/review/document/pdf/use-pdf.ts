import { useEffect, useState } from "react";
import { useReadRange } from "../../../../queries/knowledge.ts";
import type { OpenedPdf } from "./open-pdf.ts";

interface PdfState {
  /** null until it is open, "failed" if it cannot be. */
  pdf: OpenedPdf | "failed" | null;
  /** Loads bytes again that failed to load; null if there are none. */
  retry: (() => void) | null;
}
const CLOSED: PdfState = { pdf: null, retry: null };

/** Opens the PDF at a record's URL for as long as the component is mounted. */
export function usePdf(url: string, size: number): PdfState {
  const readRange = useReadRange(url);
  const [state, setState] = useState<PdfState & { url: string }>({ ...CLOSED, url });
  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const update = (changes: Partial<PdfState>) => !signal.aborted && setState((current) => ({ ...(current.url === url ? current : CLOSED), ...changes, url }));
    const fail = () => update({ pdf: "failed" });
    const onStalled = (retry: () => void) =>
      update({
        retry() {
          update({ retry: null });
          retry();
        },
      });
    update(CLOSED);
    import("./open-pdf.ts")
      .then(({ openPdf }) => {
        signal.throwIfAborted();
        return openPdf({ read: readRange, size, signal, onError: fail, onStalled });
      })
      .then((pdf) => update({ pdf }), fail);
    return () => closing.abort();
  }, [readRange, url, size]);
  return state.url === url ? state : CLOSED;
}
