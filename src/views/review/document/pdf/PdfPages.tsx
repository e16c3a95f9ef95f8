import { type KeyboardEvent, type RefObject, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import { t } from "../../../../lib/texts/document.ts";
import { useWidth } from "../../../../ui/responsive.ts";
import type { OpenedPdf } from "./open-pdf.ts";
import { GAP, layOutPages, MAX_PAGES, pageAt, pagesNear, topOf } from "./page-layout.ts";
import { PdfPage } from "./PdfPage.tsx";

export interface PdfPagesHandle {
  /** Scrolls to a page, and to the first marked words on it. */
  open(page: number): void;
}

interface Props {
  pdf: OpenedPdf;
  label: string;
  handle: RefObject<PdfPagesHandle | null>;
  initialPage: number;
  query: string;
  /** Width of a page in widths of the view. */
  zoom: number;
  onZoomKey(key: "+" | "-" | "0"): void;
  onPage(page: number): void;
}

/** Scrolls through the pages. Only those near the view exist in the document of the browser. */
export function PdfPages({ pdf, label, handle, initialPage, query, zoom, onZoomKey, onPage }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const viewWidth = useWidth(scroller);
  const [ratios, setRatios] = useState<ReadonlyMap<number, number>>(new Map());
  const [view, setView] = useState({ top: 0, height: 0 });
  const count = Math.min(pdf.document.numPages, MAX_PAGES);
  const width = Math.max(1, Math.floor((viewWidth - 2 * GAP) * zoom));
  const layout = useMemo(() => layOutPages(count, pdf.ratio, ratios, width), [count, pdf, ratios, width]);
  /** What stays in view when pages change their size: a page, and how far it is scrolled, in heights of it. */
  const anchor = useRef({ page: initialPage, share: 0 });
  /** The page whose first marked words are to be scrolled to once they are drawn. */
  const target = useRef<number | null>(initialPage);

  const scrollToAnchor = useCallback(() => {
    const { page, share } = anchor.current;
    scroller.current!.scrollTop = topOf(layout, page) + share * layout.sizeOf(page).height - (share === 0 ? GAP : 0);
  }, [layout]);
  const readView = useCallback(() => {
    const { scrollTop, clientHeight } = scroller.current!;
    setView({ top: scrollTop, height: clientHeight });
    onPage(pageAt(layout, scrollTop + clientHeight / 3));
  }, [layout, onPage]);
  useLayoutEffect(() => {
    if (viewWidth === 0) return;
    scrollToAnchor();
    readView();
  }, [viewWidth, scrollToAnchor, readView]);

  function onScroll() {
    const { scrollTop } = scroller.current!;
    const page = pageAt(layout, scrollTop + GAP);
    anchor.current = { page, share: (scrollTop - topOf(layout, page)) / layout.sizeOf(page).height };
    readView();
  }
  const onMarked = useCallback((page: number, element: HTMLElement) => {
    if (target.current !== page) return;
    target.current = null;
    const mark = element.querySelector("mark");
    if (mark) reveal(scroller.current!, mark);
  }, []);
  useImperativeHandle(
    handle,
    () => ({
      open(page) {
        anchor.current = { page: Math.min(page, count), share: 0 };
        target.current = anchor.current.page;
        scrollToAnchor();
        const drawn = scroller.current!.querySelector<HTMLElement>(`[data-page="${anchor.current.page}"] .pdf-text`);
        if (drawn?.querySelector("mark")) onMarked(anchor.current.page, drawn);
      },
    }),
    [count, scrollToAnchor, onMarked],
  );
  // Other words lead to their first occurrence on the page that is shown.
  const openedQuery = useRef(query);
  useEffect(() => {
    if (openedQuery.current === query) return;
    openedQuery.current = query;
    target.current = anchor.current.page;
  }, [query]);

  const onRatio = useCallback(
    (page: number, ratio: number) =>
      setRatios((current) => (Math.abs((current.get(page) ?? pdf.ratio) - ratio) < 0.001 ? current : new Map(current).set(page, ratio))),
    [pdf],
  );
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key === "=" ? "+" : event.key;
    if (key === "+" || key === "-" || key === "0") onZoomKey(key);
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- every key also has a button
    <div
      ref={scroller}
      role="region"
      aria-label={label}
      aria-keyshortcuts="+ - 0"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      className="relative h-[calc(100dvh-13.5rem)] min-h-80 overflow-auto overscroll-x-contain rounded-lg border border-line bg-wave-bg [overflow-anchor:none]"
    >
      <div className="relative mx-auto min-w-full" style={{ height: layout.tops[count], width: width + 2 * GAP }}>
        {viewWidth > 0 &&
          pagesNear(layout, view.top, view.height).map((page) => (
            <PdfPage
              key={page}
              pdf={pdf}
              number={page}
              top={topOf(layout, page)}
              size={layout.sizeOf(page)}
              query={query}
              onRatio={onRatio}
              onMarked={onMarked}
              onOpen={(opened) => handle.current?.open(opened)}
            />
          ))}
      </div>
      {pdf.document.numPages > count && <p className="p-4 text-center text-sm text-text-2">{t("pagesLeftOut", { count })}</p>}
    </div>
  );
}

/** Centers an element that is out of view. Scrolls within the scroller only, because the page around it must stay. */
function reveal(scroller: HTMLElement, element: HTMLElement): void {
  const [outer, inner] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) scroller.scrollTop += inner.top - outer.top - outer.height / 2;
  if (inner.left < outer.left || inner.right > outer.right) scroller.scrollLeft += inner.left - outer.left - outer.width / 2;
}
