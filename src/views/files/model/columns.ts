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
  end?: true;
  /** There is room for words beside a picture. */
  wide?: true;
}

/** The least for a name; and from where on people have room for theirs. */
const NAME = 300;
const ROOMY = 1_120;
const FULL_NAMES = 136;
/** In the order in which they are seen. */
const OTHERS: readonly (Column & { px: number })[] = [
  { name: "status", sort: "status", px: 172, width: "172px" },
  { name: "duration", sort: "duration", px: 72, width: "72px", end: true },
  { name: "bpm", sort: "bpm", px: 136, width: "136px" },
  { name: "size", sort: "size", px: 104, width: "104px", end: true },
  { name: "uploader", sort: null, px: 44, width: "44px" },
  { name: "changed", sort: "changed", px: 88, width: "88px", end: true },
];
/** Who must go first where it is narrow, last. */
const WORTH: readonly ColumnName[] = ["status", "changed", "duration", "bpm", "size", "uploader"];
/** Box to select, and button for more. */
const EDGES = 36 + 44;

/** The columns for a list of this width. The name is always there. */
export function columnsFor(width: number): Column[] {
  let left = width - EDGES - NAME;
  const kept = new Set<ColumnName>();
  for (const name of WORTH) {
    const { px } = OTHERS.find((one) => one.name === name)!;
    if (px > left) break;
    left -= px;
    kept.add(name);
  }
  const others = OTHERS.filter(({ name }) => kept.has(name)).map((one) =>
    one.name === "uploader" && width >= ROOMY ? { ...one, width: `${FULL_NAMES}px`, wide: true as const } : one,
  );
  return [{ name: "name", sort: "name", width: "minmax(0,1fr)" }, ...others];
}

/** Of the whole row, with the edges. */
export const templateOf = (columns: readonly Column[]): string => `36px ${columns.map(({ width }) => width).join(" ")} 44px`;
