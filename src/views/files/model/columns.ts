/** Which columns the table has room for, and how wide they are, in CSS pixels. */
import type { FileSort } from "../../../../contract/file-order.ts";

export type ColumnName = "name" | "status" | "duration" | "bpm" | "size" | "uploader" | "changed";

export interface Column {
  name: ColumnName;
  /** What its head sorts by; null where the service cannot. */
  sort: FileSort | null;
  /** Of a grid's template. */
  width: string;
  /** Figures stand under each other. */
  alignEnd?: true;
  /** There is room for words beside a picture. */
  showsName?: true;
}

/** The least for a name; and from where on people have room for theirs. */
const MIN_NAME_WIDTH = 300;
const WIDE_WIDTH = 1_120;
const UPLOADER_NAME_WIDTH = 136;
/** In the order in which they are seen. */
const OPTIONAL_COLUMNS: readonly (Column & { px: number })[] = [
  { name: "status", sort: "status", px: 172, width: "172px" },
  { name: "duration", sort: "duration", px: 72, width: "72px", alignEnd: true },
  { name: "bpm", sort: "bpm", px: 136, width: "136px" },
  { name: "size", sort: "size", px: 104, width: "104px", alignEnd: true },
  { name: "uploader", sort: null, px: 44, width: "44px" },
  { name: "changed", sort: "changed", px: 88, width: "88px", alignEnd: true },
];
/** Who must go first where it is narrow, last. */
const COLUMN_PRIORITY: readonly ColumnName[] = ["status", "changed", "duration", "bpm", "size", "uploader"];
/** Box to select, and button for more. */
const EDGES_WIDTH = 36 + 44;

/** The columns for a list of this width. The name is always there. */
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

/** Of the whole row, with the edges. */
export const gridTemplate = (columns: readonly Column[]): string => `36px ${columns.map(({ width }) => width).join(" ")} 44px`;
