import { AlignLeft, ChevronLeft, ChevronRight, MoveHorizontal, ZoomIn, ZoomOut } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { t } from "../../../../lib/texts/document.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { FindInDocument } from "../FindInDocument.tsx";
import type { OpenedPdf } from "./open-pdf.ts";
import { MAX_PAGES } from "./page-layout.ts";
import { PageField } from "./PageField.tsx";
import "./pdf.css";
import { PdfPages, type PdfPagesHandle } from "./PdfPages.tsx";

/** Widths of a page in widths of the view. */
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
const FIT = ZOOMS.indexOf(1);

interface Props {
  file: { id: number; name: string };
  version: number;
  pdf: OpenedPdf;
  /** Whether there is text that can be searched. */
  hasText: boolean;
  /** Shows the text instead of the pages; null if there is none. */
  onShowText: (() => void) | null;
  notice: ReactNode;
}

/** Shows the drawn pages of a PDF, with zoom and search. */
export function PdfView({ file, version, pdf, hasText, onShowText, notice }: Props) {
  const [params] = useSearchParams();
  const count = Math.min(pdf.document.numPages, MAX_PAGES);
  const requested = Number(params.get("page"));
  const initialPage = Number.isInteger(requested) && requested > 0 ? Math.min(requested, count) : 1;
  const query = params.get("find") ?? "";
  const pages = useRef<PdfPagesHandle>(null);
  const [page, setPage] = useState(initialPage);
  const [zoomIndex, setZoomIndex] = useState<number>(FIT);
  const open = useCallback((number: number) => pages.current?.open(number), []);
  // A result of the search in the same document changes only the address.
  const openedPage = useRef(initialPage);
  useEffect(() => {
    if (openedPage.current === initialPage) return;
    openedPage.current = initialPage;
    open(initialPage);
  }, [initialPage, open]);
  const zoomBy = (step: number) => setZoomIndex((index) => Math.min(ZOOMS.length - 1, Math.max(0, index + step)));
  const tools = (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <nav aria-label={t("pages")} className="flex items-center gap-1">
        <IconButton icon={ChevronLeft} label={t("previous")} disabled={page <= 1} onClick={() => open(page - 1)} className="pointer-coarse:size-11" />
        <PageField page={page} count={count} onOpen={open} />
        <IconButton icon={ChevronRight} label={t("next")} disabled={page >= count} onClick={() => open(page + 1)} className="pointer-coarse:size-11" />
      </nav>
      <div role="group" aria-label={t("zoom")} className="flex items-center">
        <IconButton icon={ZoomOut} label={t("zoomOut")} disabled={zoomIndex === 0} onClick={() => zoomBy(-1)} className="pointer-coarse:size-11" />
        <IconButton icon={ZoomIn} label={t("zoomIn")} disabled={zoomIndex === ZOOMS.length - 1} onClick={() => zoomBy(1)} className="pointer-coarse:size-11" />
        <IconButton
          icon={MoveHorizontal}
          label={t("fitWidth")}
          disabled={zoomIndex === FIT}
          onClick={() => setZoomIndex(FIT)}
          className="pointer-coarse:size-11"
        />
        {onShowText && <IconButton icon={AlignLeft} label={t("showText")} onClick={onShowText} className="pointer-coarse:size-11" />}
      </div>
    </div>
  );
  return (
    <section aria-label={file.name} className="flex flex-col gap-2">
      {hasText ? <FindInDocument fileId={file.id} version={version} query={query} onOpen={open} tools={tools} /> : <div className="self-end">{tools}</div>}
      {notice}
      <PdfPages
        pdf={pdf}
        label={t("drawnPages", { file: file.name })}
        handle={pages}
        initialPage={initialPage}
        query={query}
        zoom={ZOOMS[zoomIndex]!}
        onZoomKey={(key) => (key === "0" ? setZoomIndex(FIT) : zoomBy(key === "+" ? 1 : -1))}
        onPage={setPage}
      />
    </section>
  );
}
