import { useRef } from "react";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { useWidth } from "../../../../ui/use-width.ts";
import { useFilesContext } from "../files-room.ts";
import { EntryTile, SkeletonTile } from "./EntryTile.tsx";
import type { ListingProps } from "./listing-props.ts";
import { LoadMoreError } from "./MoreFailed.tsx";
import { useGrid } from "./use-grid.ts";
import { useEntryPath } from "./use-path-of.ts";

/** Minimum tile widths, height of a row of tiles including its gap, and horizontal padding, in CSS pixels. */
const MIN_TILE_WIDTH = 190;
const MIN_TILE_WIDTH_PHONE = 150;
const TILE_ROW_HEIGHT = 212;
const PADDING = 32;

/** Renders the listing as tiles with thumbnails and waveforms. */
export function Tiles(props: ListingProps) {
  const { folder, hasFilter, selection } = useFilesContext();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller) - PADDING;
  const perRow = Math.max(1, Math.floor(width / (width < 500 ? MIN_TILE_WIDTH_PHONE : MIN_TILE_WIDTH)));
  const grid = useGrid({ ...props, scroller, perRow, rowHeight: TILE_ROW_HEIGHT, stickyHeaderHeight: 0 });
  const pathOf = useEntryPath();
  const { entries, isPrevious } = props.list;
  const hasSelection = selection.ids.size > 0;
  const name = folder.parent_id === null ? t("root") : folder.name;
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={t(hasFilter ? "resultsIn" : "listOf", { folder: name })}
      aria-multiselectable
      aria-rowcount={grid.total < 0 ? -1 : grid.rows}
      aria-colcount={perRow}
      aria-busy={isPrevious}
      tabIndex={-1}
      {...grid.handlers}
      className={classes("min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:outline-none", isPrevious && "opacity-60")}
    >
      <div role="rowgroup" className="relative mt-1" style={{ height: grid.rows * TILE_ROW_HEIGHT }}>
        {grid.renderedRows.map((row) => (
          <div
            key={row}
            role={entries[row * perRow] ? "row" : undefined}
            aria-rowindex={entries[row * perRow] ? row + 1 : undefined}
            aria-hidden={!entries[row * perRow] || undefined}
            className="absolute inset-x-4 grid gap-x-3"
            style={{ top: row * TILE_ROW_HEIGHT, height: TILE_ROW_HEIGHT, gridTemplateColumns: `repeat(${perRow}, minmax(0, 1fr))` }}
          >
            {Array.from({ length: perRow }, (_, column) => {
              const entry = entries[row * perRow + column];
              if (!entry) return row * perRow + column < grid.total || grid.total < 0 ? <SkeletonTile key={`ghost-${column}`} /> : null;
              return (
                <EntryTile
                  key={entry.id}
                  entry={entry}
                  column={column + 1}
                  selected={selection.ids.has(entry.id)}
                  hasSelection={hasSelection}
                  isCurrent={entry.id === grid.currentId}
                  path={hasFilter ? pathOf(entry) : null}
                />
              );
            })}
          </div>
        ))}
      </div>
      {props.list.moreFailed && <LoadMoreError onRetry={() => void props.list.loadMore(200)} />}
    </div>
  );
}
