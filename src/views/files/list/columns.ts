/** Computes which columns fit into the table and how wide they are, in CSS pixels. */
import type { FileSort } from "../../../../contract/file-order.ts";
import type { MetadataField, MetadataFieldType } from "../../../../contract/metadata-records.ts";

/** `field`: a metadata field. */
export type ColumnName = "field" | "name" | "folder" | "status" | "duration" | "bpm" | "size" | "uploader" | "changed";

export interface Column {
  name: ColumnName;
  /** The metadata field that the column shows. */
  field?: MetadataField;
  /** The field its header sorts by; null if the service cannot sort by it. */
  sort: FileSort | null;
  /** CSS pixels; null for the name, which takes the rest. */
  widthPx: number | null;
  /** True for numbers, which line up at the end. */
  alignEnd?: true;
  /** True if the uploader's name fits beside the avatar. */
  showsName?: true;
}

/** Widths that the person has set, by `columnKey`. */
export type ColumnWidths = Readonly<Record<string, number>>;

interface ColumnOptions {
  fields?: readonly MetadataField[];
  /** Adds the column with the folder of each file. */
  hasFolder?: boolean;
  widths?: ColumnWidths;
}

/** Minimum width of the name column, and the list width from which uploader names are shown. */
const MIN_NAME_WIDTH_PX = 204;
const MIN_WIDE_LIST_WIDTH_PX = 1_120;
const UPLOADER_NAME_WIDTH_PX = 136;
/** The width from which a column shows the uploader's name, if the person has set it. */
const MIN_SHOWN_NAME_WIDTH_PX = 96;
/** Minimum width of the name beside metadata fields. */
const MIN_SCROLLED_NAME_WIDTH_PX = 240;
const STATUS_WIDTH_PX = 144;
/** In display order. */
const OPTIONAL_COLUMNS: readonly (Column & { widthPx: number })[] = [
  { name: "folder", sort: null, widthPx: 148 },
  { name: "status", sort: "status", widthPx: STATUS_WIDTH_PX },
  { name: "duration", sort: "duration", widthPx: 60, alignEnd: true },
  { name: "bpm", sort: "bpm", widthPx: 132 },
  { name: "size", sort: "size", widthPx: 84, alignEnd: true },
  { name: "uploader", sort: null, widthPx: 40 },
  { name: "changed", sort: "changed", widthPx: 96, alignEnd: true },
];
/** Most important first. The last ones are dropped first when space is short; the folder is then shown below the name. */
const COLUMN_PRIORITY: readonly ColumnName[] = ["uploader", "status", "changed", "duration", "bpm", "size", "folder"];
/** Widths of the checkbox and the menu button. */
const EDGES_WIDTH_PX = 36 + 44;

/** The bounds of a width that a person sets. */
export const MAX_COLUMN_WIDTH_PX = 480;
export const minWidthOf = (key: string): number => (key === "uploader" ? 40 : 60);
export const clampWidth = (key: string, widthPx: number): number => Math.round(Math.min(MAX_COLUMN_WIDTH_PX, Math.max(minWidthOf(key), widthPx)));

/** Identifies a column among others. */
export const columnKey = ({ name, field }: Column): string => (field ? `field-${field.id}` : name);

const FIELD_WIDTHS_PX: Record<MetadataFieldType, number> = { text: 168, number: 92, choice: 132, date: 116, person: 144, isrc: 148, checkbox: 132 };
const END_ALIGNED_TYPES: ReadonlySet<MetadataFieldType> = new Set(["number"]);
const fieldColumn = (field: MetadataField): Column & { widthPx: number } => ({
  name: "field",
  field,
  sort: null,
  widthPx: FIELD_WIDTHS_PX[field.type],
  ...(END_ALIGNED_TYPES.has(field.type) ? { alignEnd: true as const } : {}),
});

/**
 * Returns the columns for a list of this width: always the name and the metadata fields, and as many others as fit. With metadata fields uploader, status
 * and date are always among them, and the list may become wider than its frame.
 */
export function columnsFor(width: number, { fields = [], hasFolder = false, widths = {} }: ColumnOptions = {}): Column[] {
  const withOwnWidth = <C extends Column & { widthPx: number }>(column: C): C => ({
    ...column,
    widthPx: clampWidth(columnKey(column), widths[columnKey(column)] ?? column.widthPx),
  });
  const fieldColumns = fields.map(fieldColumn).map(withOwnWidth);
  const optionalColumns = OPTIONAL_COLUMNS.filter(({ name }) => name !== "folder" || hasFolder).map((column) =>
    withOwnWidth(column.name === "uploader" && width >= MIN_WIDE_LIST_WIDTH_PX ? { ...column, widthPx: UPLOADER_NAME_WIDTH_PX } : column),
  );
  const widthOf = (name: ColumnName) => optionalColumns.find((column) => column.name === name)?.widthPx ?? 0;
  const freeWidth = width - EDGES_WIDTH_PX - MIN_NAME_WIDTH_PX - fieldColumns.reduce((sum, { widthPx }) => sum + widthPx, 0);
  let remainingWidth = fields.length > 0 ? Math.max(widthOf("uploader") + widthOf("status") + widthOf("changed"), freeWidth) : freeWidth;
  const visibleNames = new Set<ColumnName>();
  for (const name of COLUMN_PRIORITY) {
    if (widthOf(name) === 0) continue;
    if (widthOf(name) > remainingWidth) break;
    remainingWidth -= widthOf(name);
    visibleNames.add(name);
  }
  const visibleColumns = optionalColumns
    .filter(({ name }) => visibleNames.has(name))
    .map((column) => (column.name === "uploader" && column.widthPx >= MIN_SHOWN_NAME_WIDTH_PX ? { ...column, showsName: true as const } : column));
  return [{ name: "name", sort: "name", widthPx: null }, ...visibleColumns, ...fieldColumns];
}

/** Returns the width that the list needs at least; null without metadata fields, where it always fits. */
export const minimumWidth = (columns: readonly Column[]): number | null =>
  columns.some(({ field }) => field) ? columns.reduce((sum, { widthPx }) => sum + (widthPx ?? MIN_SCROLLED_NAME_WIDTH_PX), EDGES_WIDTH_PX) : null;

/** Returns the grid template of the whole row, including checkbox and menu button. */
export const gridTemplate = (columns: readonly Column[]): string =>
  `36px ${columns.map(({ widthPx }) => (widthPx === null ? "minmax(0,1fr)" : `${widthPx}px`)).join(" ")} 44px`;
