import { ArrowDownWideNarrow, ArrowUpNarrowWide } from "lucide-react";
import { FILE_SORTS, type FileSort } from "../../../../../contract/file-order.ts";
import { t } from "../../../../lib/messages/files.ts";
import { defaultSortOrder } from "../../../../queries/file-lists/wish.ts";
import { iconButtonClasses } from "../../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import { useFilesContext } from "../files-room.ts";

const SORT_LABELS = {
  name: "name",
  changed: "changed",
  created: "created",
  size: "size",
  duration: "duration",
  bpm: "sortTempo",
  status: "status",
  kind: "kind",
} as const satisfies Record<FileSort, string>;
const ORDER_OPTIONS = [
  ["asc", "ascending"],
  ["desc", "descending"],
] as const;

/** Selects the sort order, also by fields without a column and in layouts without column headers. */
export function SortMenu() {
  const { urlState, setUrlState } = useFilesContext();
  const Icon = urlState.order === "asc" ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  return (
    <Menu label={t("sort")} trigger={<Icon size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
      <div role="group" aria-label={t("sort")}>
        {FILE_SORTS.map((sort) => (
          <MenuItem
            key={sort}
            checked={urlState.sort === sort}
            onSelect={() => setUrlState((current) => ({ ...current, sort, order: defaultSortOrder(sort) }))}
          >
            {t(SORT_LABELS[sort])}
          </MenuItem>
        ))}
      </div>
      <hr className="my-1 border-line" />
      <div role="group" aria-label={t("sort")}>
        {ORDER_OPTIONS.map(([order, name]) => (
          <MenuItem key={order} checked={urlState.order === order} onSelect={() => setUrlState((current) => ({ ...current, order }))}>
            {t(name)}
          </MenuItem>
        ))}
      </div>
    </Menu>
  );
}
