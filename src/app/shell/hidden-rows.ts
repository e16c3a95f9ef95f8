/** What is unread in rows of the rail that are scrolled out of sight. */
export interface HiddenRows {
  unread: number;
  mentions: number;
}
export interface HiddenRowsWithTarget extends HiddenRows {
  /** The nearest of them, with mentions if any has some. */
  row?: HTMLElement | undefined;
}

const NONE: HiddenRows = { unread: 0, mentions: 0 };
export const NOTHING_HIDDEN: Record<"above" | "below", HiddenRows> = { above: NONE, below: NONE };

/** A row counts as seen once this much of it is in view, in CSS pixels. */
const SEEN_PX = 12;

interface Row {
  element: HTMLElement;
  unread: number;
  mentions: number;
}

/** Sums what is unread above and below the visible part of `scroller`. A project with two rows of which one is visible is not hidden. */
export function findHidden(scroller: HTMLElement, withTarget?: boolean): Record<"above" | "below", HiddenRowsWithTarget> {
  const { top, bottom } = scroller.getBoundingClientRect();
  const above: Row[] = [];
  const below: Row[] = [];
  const counted = new Set<string>();
  const rows = [...scroller.querySelectorAll<HTMLElement>("[data-unread]")].map((element) => ({ element, box: element.getBoundingClientRect() }));
  const isVisible = ({ box }: (typeof rows)[number]) => box.bottom > top + SEEN_PX && box.top < bottom - SEEN_PX;
  for (const row of rows) if (row.element.dataset["project"] !== undefined && isVisible(row)) counted.add(row.element.dataset["project"]);
  for (const { element, box } of rows) {
    const { project, unread, mentions } = element.dataset;
    const isCounted = project !== undefined && counted.has(project);
    if (isCounted || isVisible({ element, box })) continue;
    if (project !== undefined) counted.add(project);
    (box.bottom <= top + SEEN_PX ? above : below).push({ element, unread: Number(unread), mentions: Number(mentions) });
  }
  return { above: summarize(above.toReversed(), withTarget), below: summarize(below, withTarget) };
}

/** `rows`: the nearest first. */
function summarize(rows: readonly Row[], withTarget = false): HiddenRowsWithTarget {
  const sum = (key: "unread" | "mentions") => rows.reduce((total, row) => total + row[key], 0);
  const mentions = sum("mentions");
  const row = rows.find((one) => (mentions > 0 ? one.mentions : one.unread) > 0)?.element;
  return { unread: sum("unread"), mentions, ...(withTarget && { row }) };
}
