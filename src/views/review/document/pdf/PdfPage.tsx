import { useEffect, useRef, useState } from "react";
import { t } from "../../../../lib/texts/document.ts";
import { markHits } from "./mark-hits.ts";
import type { OpenedPdf, PdfPage as LoadedPage } from "./open-pdf.ts";
import { pixelRatioFor, ratioOf } from "./page-layout.ts";
import { PdfLinks } from "./PdfLinks.tsx";

interface Props {
  pdf: OpenedPdf;
  number: number;
  top: number;
  size: { width: number; height: number };
  /** Words to mark. */
  query: string;
  onRatio(number: number, ratio: number): void;
  /** Called once the words are marked. */
  onMarked(number: number, element: HTMLElement): void;
  onOpen(page: number): void;
}

/** Draws a page, with its text over it so that it can be selected. */
export function PdfPage({ pdf, number, top, size, query, onRatio, onMarked, onOpen }: Props) {
  const [page, setPage] = useState<LoadedPage | "failed" | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const store = (loaded: LoadedPage | "failed") => {
      if (!isCurrent) return;
      setPage(loaded);
      if (loaded !== "failed") onRatio(number, ratioOf(loaded.getViewport({ scale: 1 })));
    };
    pdf.document.getPage(number).then(store, () => store("failed"));
    return () => void (isCurrent = false);
  }, [pdf, number, onRatio]);
  const loaded = page === "failed" ? null : page;
  return (
    <div
      role="group"
      aria-label={t("pageLabel", { number })}
      data-page={number}
      // Colors of paper, whatever the theme.
      className="absolute left-1/2 -translate-x-1/2 overflow-hidden rounded-sm bg-white text-black shadow-sm ring-1 ring-line"
      style={{ top, ...size }}
    >
      {page === "failed" && <p className="p-6">{t("pageFailed")}</p>}
      {loaded && <PageCanvas page={loaded} size={size} onFailed={() => setPage("failed")} />}
      {loaded && <PageText pdf={pdf} page={loaded} size={size} query={query} onMarked={onMarked} />}
      {loaded && <PdfLinks document={pdf.document} page={loaded} onOpen={onOpen} />}
    </div>
  );
}

function PageCanvas({ page, size: { width, height }, onFailed }: { page: LoadedPage; size: Props["size"]; onFailed(): void }) {
  const holder = useRef<HTMLDivElement>(null);
  const [isDrawn, setIsDrawn] = useState(false);
  useEffect(() => {
    const canvas = document.createElement("canvas");
    const ratio = pixelRatioFor({ width, height }, window.devicePixelRatio);
    canvas.width = Math.max(1, Math.floor(width * ratio));
    canvas.height = Math.max(1, Math.floor(height * ratio));
    canvas.className = "size-full";
    canvas.ariaHidden = "true";
    const viewport = page.getViewport({ scale: canvas.width / page.getViewport({ scale: 1 }).width });
    const task = page.render({ canvas, viewport });
    let isCurrent = true;
    task.promise.then(
      () => {
        if (!isCurrent) return;
        // The drawing in another size stays until this one is complete.
        release(holder.current!);
        holder.current!.append(canvas);
        setIsDrawn(true);
      },
      () => isCurrent && onFailed(),
    );
    return () => {
      isCurrent = false;
      task.cancel();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- another function does not draw the page again
  }, [page, width, height]);
  useEffect(() => {
    const element = holder.current!;
    return () => {
      release(element);
      page.cleanup();
    };
  }, [page]);
  return <div ref={holder} data-drawn={isDrawn} className="size-full" />;
}

/** Removes the canvas of a holder, and its memory before the garbage collection. */
function release(holder: HTMLElement): void {
  for (const canvas of holder.querySelectorAll("canvas")) {
    canvas.width = 0;
    canvas.height = 0;
    canvas.remove();
  }
}

function PageText({ pdf: { TextLayer }, page, size, query, onMarked }: { page: LoadedPage } & Pick<Props, "pdf" | "size" | "query" | "onMarked">) {
  const layer = useRef<HTMLDivElement>(null);
  const [isRendered, setIsRendered] = useState(false);
  const { width, rotation } = page.getViewport({ scale: 1 });
  const scale = size.width / width;
  useEffect(() => {
    const element = layer.current!;
    const viewport = page.getViewport({ scale: 1 });
    const text = new TextLayer({ textContentSource: page.streamTextContent(), container: element, viewport });
    let isCurrent = true;
    text.render().then(
      () => isCurrent && setIsRendered(true),
      () => {},
    );
    return () => {
      isCurrent = false;
      text.cancel();
      element.replaceChildren();
    };
  }, [TextLayer, page]);
  useEffect(() => {
    if (!isRendered) return;
    markHits(layer.current!, query);
    onMarked(page.pageNumber, layer.current!);
  }, [isRendered, page, query, onMarked]);
  const isTurned = rotation % 180 !== 0;
  const dimensions = isTurned ? { width: size.height, height: size.width } : size;
  return <div ref={layer} className="pdf-text" style={{ ...dimensions, ["--total-scale-factor" as string]: scale }} />;
}
