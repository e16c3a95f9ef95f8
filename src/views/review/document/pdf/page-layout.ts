/** Computes where the pages of a PDF are in their scroller. */

/** Between pages and around them, in CSS pixels. */
export const GAP = 12;
/** Pages that the view shows; browsers limit the height of what they scroll. */
export const MAX_PAGES = 5_000;
/** A page that is higher than this many times its width is drawn narrower. */
const MAX_RATIO = 5;

export interface PageLayout {
  count: number;
  /** Top of each page, and the total height at the end, in CSS pixels. */
  tops: Float64Array;
  sizeOf(page: number): { width: number; height: number };
}

/** Returns the height of a page divided by its width. */
export const ratioOf = ({ width, height }: { width: number; height: number }): number => (width > 0 && height > 0 ? height / width : 1);

/** `ratios`: height divided by width of the pages whose size is known; the others count as `ratio`. `width`: of a page, in CSS pixels. */
export function layOutPages(count: number, ratio: number, ratios: ReadonlyMap<number, number>, width: number): PageLayout {
  const sizeOf = (page: number) => {
    const own = ratios.get(page) ?? ratio;
    const height = width * Math.min(own, MAX_RATIO);
    return { width: height / own, height };
  };
  const tops = new Float64Array(count + 1);
  tops[0] = GAP;
  for (let page = 1; page <= count; page += 1) tops[page] = tops[page - 1]! + sizeOf(page).height + GAP;
  return { count, tops, sizeOf };
}

export const topOf = ({ tops }: PageLayout, page: number): number => tops[page - 1] ?? 0;

/** Returns the number of the page at a vertical position; the gap below a page belongs to it. */
export function pageAt({ tops, count }: PageLayout, y: number): number {
  let [low, high] = [1, count];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tops[middle - 1]! <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the pages in view, and one before and after them. */
export function pagesNear(layout: PageLayout, top: number, height: number): number[] {
  const first = Math.max(1, pageAt(layout, top) - 1);
  const last = Math.min(layout.count, pageAt(layout, top + height) + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Returns how many canvas pixels to draw per CSS pixel: as many as the screen has, unless the canvas would get too large. */
export function pixelRatioFor({ width, height }: { width: number; height: number }, deviceRatio: number): number {
  const MAX_PIXELS = 2 ** 23;
  const MAX_SIDE = 8_192;
  return Math.min(Math.max(1, deviceRatio), Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / width, MAX_SIDE / height);
}
