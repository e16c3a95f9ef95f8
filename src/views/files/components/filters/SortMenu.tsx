import { ArrowDownWideNarrow, ArrowUpNarrowWide } from "lucide-react";
import { FILE_SORTS, type FileSort } from "../../../../../contract/file-order.ts";
import { t } from "../../../../lib/messages/files.ts";
import { usualOrder } from "../../../../queries/file-lists/wish.ts";
import { iconButtonClasses } from "../../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import { useFilesRoom } from "../files-room.ts";

const NAMES = {
  name: "name",
  changed: "changed",
  created: "created",
  size: "size",
  duration: "duration",
  bpm: "sortTempo",
  status: "status",
  kind: "kind",
} as const satisfies Record<FileSort, string>;
const ORDERS = [
  ["asc", "ascending"],
  ["desc", "descending"],
] as const;

/** The order, also by what has no column, and where there are no heads of columns. */
export function SortMenu() {
  const { shown, show } = useFilesRoom();
  const Icon = shown.order === "asc" ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  return (
    <Menu label={t("sort")} trigger={<Icon size={18} aria-hidden />} triggerClass={iconButtonClasses} align="end">
      <div role="group" aria-label={t("sort")}>
        {FILE_SORTS.map((sort) => (
          <MenuItem key={sort} checked={shown.sort === sort} onSelect={() => show((now) => ({ ...now, sort, order: usualOrder(sort) }))}>
            {t(NAMES[sort])}
          </MenuItem>
        ))}
      </div>
      <hr className="my-1 border-line" />
      <div role="group" aria-label={t("sort")}>
        {ORDERS.map(([order, name]) => (
          <MenuItem key={order} checked={shown.order === order} onSelect={() => show((now) => ({ ...now, order }))}>
            {t(name)}
          </MenuItem>
        ))}
      </div>
    </Menu>
  );
}
