import { useEffect, useState } from "react";
import { t } from "../../../../lib/texts/document.ts";
import type { PdfDocument, PdfPage } from "./open-pdf.ts";

/** Links of one page that are shown. */
const MAX_LINKS = 300;

interface PdfLink {
  /** Percentages of the page. */
  box: { left: string; top: string; width: string; height: string };
  /** Of another site; null for a place in the document. */
  url: string | null;
  destination: unknown;
}

/** What the library returns of an annotation. It sets `url` only for addresses of the web, mail and phones. */
interface Annotation {
  subtype?: string;
  rect?: number[];
  url?: string;
  dest?: unknown;
}

/** Lies over a page where it has links. */
export function PdfLinks({ document, page, onOpen }: { document: PdfDocument; page: PdfPage; onOpen(page: number): void }) {
  const [links, setLinks] = useState<PdfLink[]>([]);
  useEffect(() => {
    let isCurrent = true;
    readLinks(page).then(
      (found) => isCurrent && setLinks(found),
      () => {},
    );
    return () => void (isCurrent = false);
  }, [page]);
  return links.map(({ box, url, destination }, index) => {
    const className = "absolute rounded-sm hover:bg-black/5 focus-visible:outline-2";
    return url === null ? (
      <button
        key={index}
        type="button"
        aria-label={t("openPlace")}
        className={className}
        style={box}
        onClick={() => void findPage(document, destination).then((number) => number !== null && onOpen(number))}
      />
    ) : (
      <a key={index} href={url} title={url} aria-label={url} target="_blank" rel="noopener noreferrer nofollow" className={className} style={box} />
    );
  });
}

async function readLinks(page: PdfPage): Promise<PdfLink[]> {
  const viewport = page.getViewport({ scale: 1 });
  const percent = (length: number, total: number) => `${(100 * length) / total}%`;
  const annotations = (await page.getAnnotations({ intent: "display" })) as Annotation[];
  return annotations.slice(0, MAX_LINKS).flatMap(({ subtype, rect, url, dest }) => {
    if (subtype !== "Link" || rect?.length !== 4 || (url === undefined && !dest)) return [];
    const [left = 0, bottom = 0, right = 0, top = 0] = rect;
    const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(left, bottom) as number[];
    const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(right, top) as number[];
    const box = {
      left: percent(Math.min(x1, x2), viewport.width),
      top: percent(Math.min(y1, y2), viewport.height),
      width: percent(Math.abs(x2 - x1), viewport.width),
      height: percent(Math.abs(y2 - y1), viewport.height),
    };
    return [{ box, url: url ?? null, destination: dest }];
  });
}

/** Returns the number of the page that a destination in the document names, or null for a broken one. */
async function findPage(document: PdfDocument, destination: unknown): Promise<number | null> {
  try {
    const [target] = (typeof destination === "string" ? await document.getDestination(destination) : (destination as unknown[])) ?? [];
    if (typeof target === "number") return target + 1;
    return (await document.getPageIndex(target as Parameters<PdfDocument["getPageIndex"]>[0])) + 1;
  } catch {
    return null;
  }
}
