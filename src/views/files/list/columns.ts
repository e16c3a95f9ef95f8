/** Computes which columns fit into the table and how wide they are, in CSS pixels. */
import type { FileSort } from "../../../../contract/file-order.ts";

export type ColumnName = "name" | "status" | "duration" | "bpm" | "size" | "uploader" | "changed";

export interface Column {
  name: ColumnName;
  /** The field its header sorts by; null if the service cannot sort by it. */
  sort: FileSort | null;
  /** CSS pixels; null for the name, which takes the rest. */
  widthPx: number | null;
  /** True for numbers, which line up at the end. */
  alignEnd?: true;
  /** True if the uploader's name fits beside the avatar. */
  showsName?: true;
}

/** Minimum width of the name column, and the list width from which uploader names are shown. */
const MIN_NAME_WIDTH_PX = 300;
const MIN_WIDE_LIST_WIDTH_PX = 1_120;
const UPLOADER_NAME_WIDTH_PX = 136;
/** In display order. */
const OPTIONAL_COLUMNS: readonly (Column & { widthPx: number })[] = [
  { name: "status", sort: "status", widthPx: 172 },
  { name: "duration", sort: "duration", widthPx: 72, alignEnd: true },
  { name: "bpm", sort: "bpm", widthPx: 136 },
  { name: "size", sort: "size", widthPx: 104, alignEnd: true },
  { name: "uploader", sort: null, widthPx: 44 },
  { name: "changed", sort: "changed", widthPx: 88, alignEnd: true },
];
/** Most important first. The last ones are dropped first when space is short. */
const COLUMN_PRIORITY: readonly ColumnName[] = ["status", "changed", "duration", "bpm", "size", "uploader"];
/** Widths of the checkbox and the menu button. */
const EDGES_WIDTH_PX = 36 + 44;

/** Returns the columns for a list of this width. The name is always included. */
export function columnsFor(width: number): Column[] {
  let remainingWidth = width - EDGES_WIDTH_PX - MIN_NAME_WIDTH_PX;
  const visibleNames = new Set<ColumnName>();
  for (const name of COLUMN_PRIORITY) {
    const { widthPx } = OPTIONAL_COLUMNS.find((column) => column.name === name)!;
    if (widthPx > remainingWidth) break;
    remainingWidth -= widthPx;
    visibleNames.add(name);
  }
  const visibleColumns = OPTIONAL_COLUMNS.filter(({ name }) => visibleNames.has(name)).map((column) =>
    column.name === "uploader" && width >= MIN_WIDE_LIST_WIDTH_PX ? { ...column, widthPx: UPLOADER_NAME_WIDTH_PX, showsName: true as const } : column,
  );
  return [{ name: "name", sort: "name", widthPx: null }, ...visibleColumns];
}

/** Returns the grid template of the whole row, including checkbox and menu button. */
export const gridTemplate = (columns: readonly Column[]): string =>
  `36px ${columns.map(({ widthPx }) => (widthPx === null ? "minmax(0,1fr)" : `${widthPx}px`)).join(" ")} 44px`;
