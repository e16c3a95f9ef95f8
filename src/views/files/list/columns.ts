/** Computes which columns fit into the table and how wide they are, in CSS pixels. */
import type { FileSort } from "../../../../contract/file-order.ts";

export type ColumnName = "name" | "status" | "duration" | "bpm" | "size" | "uploader" | "changed";

export interface Column {
  name: ColumnName;
  /** The field its header sorts by; null if the service cannot sort by it. */
  sort: FileSort | null;
  /** Track size in the grid template. */
  width: string;
  /** True for numbers, which line up at the end. */
  alignEnd?: true;
  /** True if the uploader's name fits beside the avatar. */
  showsName?: true;
}

/** Minimum width of the name column, and the list width from which uploader names are shown. */
const MIN_NAME_WIDTH = 300;
const WIDE_WIDTH = 1_120;
const UPLOADER_NAME_WIDTH = 136;
/** In display order. */
const OPTIONAL_COLUMNS: readonly (Column & { px: number })[] = [
  { name: "status", sort: "status", px: 172, width: "172px" },
  { name: "duration", sort: "duration", px: 72, width: "72px", alignEnd: true },
  { name: "bpm", sort: "bpm", px: 136, width: "136px" },
  { name: "size", sort: "size", px: 104, width: "104px", alignEnd: true },
  { name: "uploader", sort: null, px: 44, width: "44px" },
  { name: "changed", sort: "changed", px: 88, width: "88px", alignEnd: true },
];
/** Most important first. The last ones are dropped first when space is short. */
const COLUMN_PRIORITY: readonly ColumnName[] = ["status", "changed", "duration", "bpm", "size", "uploader"];
/** Widths of the checkbox and the menu button. */
const EDGES_WIDTH = 36 + 44;

/** Returns the columns for a list of this width. The name is always included. */
export function columnsFor(width: number): Column[] {
  let remainingWidth = width - EDGES_WIDTH - MIN_NAME_WIDTH;
  const visibleNames = new Set<ColumnName>();
  for (const name of COLUMN_PRIORITY) {
    const { px } = OPTIONAL_COLUMNS.find((column) => column.name === name)!;
    if (px > remainingWidth) break;
    remainingWidth -= px;
    visibleNames.add(name);
  }
  const visibleColumns = OPTIONAL_COLUMNS.filter(({ name }) => visibleNames.has(name)).map((column) =>
    column.name === "uploader" && width >= WIDE_WIDTH ? { ...column, width: `${UPLOADER_NAME_WIDTH}px`, showsName: true as const } : column,
  );
  return [{ name: "name", sort: "name", width: "minmax(0,1fr)" }, ...visibleColumns];
}

/** Returns the grid template of the whole row, including checkbox and menu button. */
export const gridTemplate = (columns: readonly Column[]): string => `36px ${columns.map(({ width }) => width).join(" ")} 44px`;
