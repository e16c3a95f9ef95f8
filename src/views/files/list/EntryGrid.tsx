import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import { useGridList } from "react-aria/useGridList";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { Button } from "../../../ui/Button.tsx";
import { useEntryDrop } from "../actions/drag-and-drop.tsx";
import { createPathLookup, folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { createKeyboardDelegate } from "./entry-collection.ts";
import { useLoadAll } from "./load-all.ts";
import type { EntryItemProps } from "./use-entry-item.tsx";
import { useEntryHandlers } from "./use-entry-handlers.ts";
import { type ListingLayout, type ListingProps, useListing } from "./use-listing.ts";

/** What a row of the grid is rendered from. */
export interface GridRow {
  index: number;
  /** -1 if the total is unknown. */
  total: number;
  /** Returns the props of the row's item at this position of the listing, or null while it is loading. */
  itemAt(index: number): EntryItemProps | null;
}

export interface GridHeaderProps {
  /** True if everything in the list is selected. */
  isAllSelected: boolean;
  hasSelection: boolean;
  onToggleAll(): void;
}

interface EntryGridProps extends ListingProps, ListingLayout {
  scroller: RefObject<HTMLDivElement | null>;
  /** The width in CSS pixels below which the list scrolls sideways. */
  minWidth?: number | null;
  /** Columns for screen readers, in a grid of tiles. */
  columnCount?: number;
  renderHeader?(selection: GridHeaderProps): ReactNode;
  renderRow(row: GridRow): ReactNode;
  className?: string;
}

/** Width of what stays at the left edge while the list scrolls sideways. */
const STICKY_WIDTH_PX = 280;

/** Renders the scrolling grid that table and tiles share, with its keys, selection, and drop zone. */
export function EntryGrid({ scroller, minWidth = null, columnCount, renderHeader, renderRow, className, ...options }: EntryGridProps) {
  const { project, folder, tree, hasFilter, isRecent, selection, open } = useFilesContext();
  const { manager, collection, keys } = selection;
  const { perRow, rowHeight, stickyHeaderHeight, list } = options;
  const body = useRef<HTMLDivElement>(null);
  const listing = useListing({ ...options, scroller });
  const loading = useLoadAll(list);
  const handlers = useEntryHandlers(loading);
  const pathOf = useMemo(() => createPathLookup(tree, folder.id), [tree, folder.id]);
  const pageRows = () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - stickyHeaderHeight) / rowHeight) - 1);
  const label = isRecent && !hasFilter ? t("recentOf", { project: project.name }) : t(hasFilter ? "resultsIn" : "listOf", { folder: folderName(folder) });
  const { gridProps } = useGridList(
    {
      "aria-label": label,
      keyboardDelegate: createKeyboardDelegate(collection, perRow, pageRows),
      keyboardNavigationBehavior: "tab",
      disallowTypeAhead: true,
      onAction(key) {
        const entry = collection.getItem(key)?.value;
        if (entry) open(entry);
      },
    },
    selection.state,
    body,
  );
  const dropProps = useEntryDrop(scroller, folder, { filesOnly: true });
  const hasSelection = keys.size > 0;
  const isSelectedByLongPress = hasSelection && manager.selectionBehavior === "toggle";
  // A long press can be felt. It selects the first entry; later, taps do.
  useEffect(() => void (isSelectedByLongPress && navigator.vibrate?.(10)), [hasSelection]); // oxlint-disable-line react-hooks/exhaustive-deps
  const itemAt = (index: number): EntryItemProps | null => {
    const entry = list.entries[index];
    return entry
      ? {
          entry,
          handlers,
          isTabStop: entry.id === listing.tabStopKey,
          hasSelection,
          path: isRecent ? pathOf(entry) || folderName(folder) : hasFilter ? pathOf(entry) : null,
        }
      : null;
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Escape clears the selection too */}
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={listing.total < 0 ? -1 : listing.rowCount + (renderHeader ? 1 : 0)}
        aria-colcount={columnCount}
        aria-busy={list.isPrevious}
        {...dropProps}
        onClick={({ target, currentTarget }) => {
          const element = target as Element;
          if (currentTarget.contains(element) && !element.closest("[data-entry], button, [role=columnheader]")) manager.clearSelection();
        }}
        className={classNames(
          "group/list min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:outline-none",
          minWidth !== null && "overflow-x-auto",
          list.isPrevious && "opacity-60",
        )}
        style={{ scrollPaddingTop: stickyHeaderHeight, scrollPaddingLeft: minWidth === null ? undefined : STICKY_WIDTH_PX }}
      >
        {renderHeader?.({
          isAllSelected: listing.isAllSelected,
          hasSelection,
          onToggleAll: () => (listing.isAllSelected ? manager.clearSelection() : void loading.selectEverything()),
        })}
        <div
          {...gridProps}
          ref={body}
          role="rowgroup"
          aria-label={undefined}
          aria-multiselectable={undefined}
          tabIndex={undefined}
          className={classNames("relative", className)}
          style={{ height: listing.rowCount * rowHeight, minWidth: minWidth ?? undefined }}
        >
          {listing.renderedRows.map((index) => renderRow({ index, total: listing.total, itemAt }))}
        </div>
      </div>
      {list.moreFailed && (
        <div role="alert" data-keeps-list-focus className="flex shrink-0 items-center justify-center gap-3 border-t border-line bg-surface p-3 text-text-2">
          {t("moreFailed")}
          <Button size="sm" onClick={listing.retryLoading}>
            {t("retry")}
          </Button>
        </div>
      )}
    </>
  );
}
