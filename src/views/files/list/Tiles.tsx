import { memo, useMemo, useRef } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { usePlayback } from "../../../audio/player/use-player.ts";
import { barsPath, computeBars } from "../../../audio/waveform/bars.ts";
import { FileKindIcon } from "../../../components/file-kind.tsx";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { Thumbnail } from "../../../components/Thumbnail.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { formatPosition, formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/files.ts";
import { isProcessing } from "../../../queries/files/file-updates.ts";
import { type Person, usePeople } from "../../../queries/members.ts";
import { useWidth } from "../../../ui/responsive.ts";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { useFilesContext } from "../files-context.ts";
import { AudioFacts, hasAudioFacts, ItemCount, ProcessingProgress, ProgressLine, UploaderAvatar } from "./cells.tsx";
import { CheckBox, type EntryControlProps, EntryMenuButton, EntryPlayButton, isPlayable } from "./entry-controls.tsx";
import { EntryGrid, type GridHeaderProps } from "./EntryGrid.tsx";
import { EntryName } from "./EntryName.tsx";
import { type EntryItemProps, useEntryItem } from "./use-entry-item.tsx";
import type { ListingProps } from "./use-listing.ts";

const MIN_TILE_WIDTH_PX = 190;
const PHONE_MIN_TILE_WIDTH_PX = 150;
/** Height of a row of tiles, including its gap. */
const ROW_HEIGHT_PX = 212;
const PADDING_PX = 32;
const HEADER_HEIGHT_PX = 36;

/** Distance between the centers of two bars of the waveform. */
const BAR_SPACING_PX = 4;
const BAR_WIDTH_PX = 2;
const WAVE_HEIGHT_PX = 76;

/** Renders the listing as tiles with thumbnails and waveforms. */
export function Tiles(props: ListingProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const personOf = usePeople(useFilesContext().project.id);
  const width = useWidth(scroller) - PADDING_PX;
  const perRow = Math.max(1, Math.floor(width / (width < 500 ? PHONE_MIN_TILE_WIDTH_PX : MIN_TILE_WIDTH_PX)));
  return (
    <EntryGrid
      {...props}
      scroller={scroller}
      perRow={perRow}
      rowHeight={ROW_HEIGHT_PX}
      stickyHeaderHeight={HEADER_HEIGHT_PX}
      columnCount={perRow}
      className="mt-1"
      renderHeader={(selection) => <TilesHeader {...selection} columnCount={perRow} />}
      renderRow={({ index, itemAt, total }) => {
        const firstIndex = index * perRow;
        const isLoading = !itemAt(firstIndex);
        return (
          <div
            key={index}
            role={isLoading ? undefined : "row"}
            aria-rowindex={isLoading ? undefined : index + 2}
            aria-hidden={isLoading || undefined}
            className="absolute inset-x-4 grid gap-x-3"
            style={{ top: index * ROW_HEIGHT_PX, height: ROW_HEIGHT_PX, gridTemplateColumns: `repeat(${perRow}, minmax(0, 1fr))` }}
          >
            {Array.from({ length: perRow }, (_, column) => {
              const item = itemAt(firstIndex + column);
              if (!item) return firstIndex + column < total || total < 0 ? <SkeletonTile key={`skeleton-${column}`} /> : null;
              return <EntryTile key={item.entry.id} {...item} uploader={personOf(item.entry.account_id)} column={column + 1} />;
            })}
          </div>
        );
      }}
    />
  );
}

/** Renders the checkbox for all tiles, whose line the selection bar covers. */
function TilesHeader({ columnCount, isAllSelected, hasSelection, onToggleAll }: GridHeaderProps & { columnCount: number }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-2 bg-surface px-4 max-tablet:sr-only">
      <div role="row" aria-rowindex={1} className="flex h-9 items-center">
        <span role="columnheader" aria-colspan={columnCount} className="flex items-center text-sm text-text-2">
          <CheckBox
            label={t("selectAll")}
            isChecked={isAllSelected}
            isMixed={hasSelection && !isAllSelected}
            isAlwaysVisible
            onToggle={onToggleAll}
            className="-ml-1.5"
          />
          <span aria-hidden>{t("selectAll")}</span>
        </span>
      </div>
    </div>
  );
}

interface EntryTileProps extends EntryItemProps {
  uploader: Person | undefined;
  /** Starts at 1. */
  column: number;
}

/** Renders one file or folder as a tile. */
const EntryTile = memo(function EntryTile({ entry, handlers, isTabStop, column, ...content }: EntryTileProps) {
  const { itemProps, isSelected, dragHandle } = useEntryItem({ entry, handlers, isTabStop }, content.uploader?.name);
  return (
    <div role="gridcell" aria-colindex={column} aria-selected={isSelected} className="min-w-0">
      <div
        {...itemProps}
        role="group"
        aria-selected={undefined}
        className={classNames(
          "group/row relative flex h-50 min-w-0 flex-col overflow-hidden rounded-md border select-none [-webkit-touch-callout:none]",
          isSelected ? "border-accent bg-accent-soft" : "border-line hover:bg-hover/60",
        )}
      >
        <TileContent {...content} entry={entry} handlers={handlers} tabIndex={itemProps.tabIndex} isSelected={isSelected} />
        {dragHandle && <span className="absolute top-1 right-1">{dragHandle}</span>}
        <ProgressLine entry={entry} />
      </div>
    </div>
  );
});

const TileContent = memo(function TileContent({
  isSelected,
  hasSelection,
  path,
  uploader,
  ...control
}: Pick<EntryTileProps, "hasSelection" | "path" | "uploader"> & EntryControlProps & { isSelected: boolean }) {
  const { entry, tabIndex } = control;
  return (
    <>
      <span className="relative flex h-30 shrink-0 items-center justify-center overflow-hidden bg-wave-bg">
        <TilePreview entry={entry} />
        {isPlayable(entry) && <EntryPlayButton {...control} className="absolute bottom-2 left-2 size-9 bg-raised shadow-float" />}
        {entry.duration > 0 && (
          <span className="tabular absolute right-2 bottom-2 rounded-sm bg-raised px-1.5 py-0.5 text-xs text-text">{formatPosition(entry.duration)}</span>
        )}
        <CheckBox
          label={t("select", { name: entry.name })}
          isChecked={isSelected}
          isAlwaysVisible={hasSelection}
          onToggle={(isRange) => control.handlers.onToggle(entry, isRange)}
          className="absolute top-1 left-1 group-hover/row:opacity-100"
        />
      </span>
      <span className="flex min-w-0 flex-1 flex-col justify-center gap-1 pl-2.5">
        <span className="flex min-w-0 items-center gap-1.5">
          {!entry.is_folder && <UploaderAvatar entry={entry} uploader={uploader} />}
          <EntryName entry={entry} tabIndex={tabIndex} path={path} />
          <EntryMenuButton {...control} />
        </span>
        {!path && <TileFacts entry={entry} />}
      </span>
    </>
  );
});

function TileFacts({ entry }: { entry: FileEntry }) {
  const isInProcessing = isProcessing(entry.transcoding_status);
  return (
    <span className="tabular flex h-5 min-w-0 items-center gap-2 pr-2 text-xs text-text-2">
      {entry.status && <StatusBadge status={entry.status} className="h-5! min-w-0 shrink px-2!" />}
      {entry.is_folder && <ItemCount entry={entry} />}
      {isInProcessing && <ProcessingProgress entry={entry} />}
      {!entry.is_folder && !isInProcessing && <span className="truncate">{hasAudioFacts(entry) ? <AudioFacts entry={entry} /> : formatSize(entry.size)}</span>}
    </span>
  );
}

function TilePreview({ entry }: { entry: FileEntry }) {
  const hasWaveform = entry.kind === "audio" && entry.wave !== undefined && entry.wave.length > 0;
  const fallback = hasWaveform ? <TileWaveform entry={entry} wave={entry.wave!} /> : <FileKindIcon entry={entry} size={40} />;
  return <Thumbnail url={entry.thumbnail_url} fallback={fallback} />;
}

/** Renders the waveform with the played part highlighted. */
function TileWaveform({ entry, wave }: { entry: FileEntry; wave: readonly number[] }) {
  const container = useRef<HTMLSpanElement>(null);
  const width = useWidth(container);
  const { position } = usePlayback(entry.id);
  const path = useMemo(() => barsPath(computeBars(wave, Math.floor(width / BAR_SPACING_PX)), BAR_SPACING_PX, WAVE_HEIGHT_PX, BAR_WIDTH_PX), [wave, width]);
  const playedFraction = entry.duration > 0 ? Math.min(1, position / entry.duration) : 0;
  return (
    <span ref={container} aria-hidden className="mx-3 mb-4 block w-full">
      <svg width={width} height={WAVE_HEIGHT_PX} strokeWidth={BAR_WIDTH_PX} strokeLinecap="round" fill="none">
        <path d={path} className="stroke-wave" />
        {playedFraction > 0 && <path d={path} className="stroke-wave-played" style={{ clipPath: `view-box inset(0 ${(1 - playedFraction) * 100}% 0 0)` }} />}
      </svg>
    </span>
  );
}

/** Renders the placeholder of a tile that is loading. */
function SkeletonTile() {
  return (
    <div aria-hidden className="flex h-50 flex-col overflow-hidden rounded-md border border-line">
      <Skeleton className="h-30 rounded-none" />
      <span className="flex flex-col gap-2 p-3">
        <Skeleton className="h-3 w-3/4" />
        <Skeleton className="h-2.5 w-1/2" />
      </span>
    </div>
  );
}
