import { memo, useMemo, useRef } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { computeBars, barsPath } from "../../../../audio/bars.ts";
import { usePlayback } from "../../../../audio/use-player.ts";
import { classes } from "../../../../lib/classes.ts";
import { formatPosition } from "../../../../lib/duration.ts";
import { formatSize } from "../../../../lib/file-size.ts";
import { t } from "../../../../lib/messages/files.ts";
import { isProcessing } from "../../../../queries/files/state.ts";
import { FileKindIcon } from "../../../../parts/files/FileKindIcon.tsx";
import { StatusBadge } from "../../../../parts/status/StatusBadge.tsx";
import { Skeleton } from "../../../../ui/Skeleton.tsx";
import { useWidth } from "../../../../ui/use-width.ts";
import { formatAccessibleLabel } from "../../model/spoken.ts";
import { formatItemCount, useItemCount } from "../use-item-count.ts";
import { CheckBox } from "./CheckBox.tsx";
import { formatAudioFacts } from "./cells.tsx";
import { EntryMenuButton } from "./EntryMore.tsx";
import { EntryName } from "./EntryName.tsx";
import { PlayButton, isPlayable, Thumbnail } from "./EntryPicture.tsx";
import { ProgressLine, ProcessingProgress } from "./EntryState.tsx";

interface Props {
  entry: FileEntry;
  /** Starts at 1. */
  column: number;
  selected: boolean;
  hasSelection: boolean;
  isCurrent: boolean;
  path: string | null;
}

/** Renders one file or folder as a tile. */
export const EntryTile = memo(function EntryTile({ entry, column, selected, hasSelection, isCurrent, path }: Props) {
  const tabIndex = isCurrent ? 0 : -1;
  return (
    <div role="gridcell" aria-colindex={column} aria-selected={selected} className="min-w-0">
      <div
        role="group"
        data-entry={entry.id}
        draggable
        aria-label={formatAccessibleLabel(entry)}
        tabIndex={tabIndex}
        className={classes(
          "group/row relative flex h-50 min-w-0 flex-col overflow-hidden rounded-md border select-none [-webkit-touch-callout:none]",
          selected ? "border-accent bg-accent-soft" : "border-line hover:bg-hover/60",
        )}
      >
        <span className="relative flex h-30 shrink-0 items-center justify-center overflow-hidden bg-wave-bg">
          <TilePreview entry={entry} />
          {isPlayable(entry) && <PlayButton entry={entry} tabIndex={tabIndex} className="absolute bottom-2 left-2 size-9 bg-raised shadow-float" />}
          {entry.duration > 0 && (
            <span className="tabular absolute right-2 bottom-2 rounded-sm bg-raised px-1.5 py-0.5 text-xs text-text">{formatPosition(entry.duration)}</span>
          )}
          <CheckBox
            label={t("select", { name: entry.name })}
            checked={selected}
            isAlwaysVisible={hasSelection}
            className="absolute top-1 left-1 group-hover/row:opacity-100"
          />
        </span>
        <span className="flex min-w-0 flex-1 flex-col justify-center gap-1 pl-2.5">
          <span className="flex min-w-0 items-center">
            <EntryName entry={entry} tabIndex={tabIndex} path={path} />
            <EntryMenuButton entry={entry} tabIndex={tabIndex} />
          </span>
          {!path && <Facts entry={entry} />}
        </span>
        <ProgressLine entry={entry} />
      </div>
    </div>
  );
});

function Facts({ entry }: { entry: FileEntry }) {
  const count = useItemCount(entry);
  const facts = entry.is_folder
    ? count === undefined
      ? []
      : [formatItemCount(count)]
    : formatAudioFacts(entry).length > 0
      ? formatAudioFacts(entry)
      : [formatSize(entry.size)];
  return (
    <span className="tabular flex h-5 min-w-0 items-center gap-2 pr-2 text-xs text-text-2">
      {entry.status && <StatusBadge status={entry.status} className="h-5! min-w-0 shrink px-2!" />}
      {isProcessing(entry.transcoding_status) ? <ProcessingProgress entry={entry} /> : <span className="min-w-0 truncate">{facts.join(" · ")}</span>}
    </span>
  );
}

function TilePreview({ entry }: { entry: FileEntry }) {
  if (entry.kind === "audio" && entry.wave && entry.wave.length > 0) return <Wave entry={entry} wave={entry.wave} />;
  return <Thumbnail entry={entry} fallback={<FileKindIcon entry={entry} size={40} />} />;
}

const BAR_PITCH = 4;
const BAR_WIDTH = 2;
const WAVE_HEIGHT = 76;

/** Renders the waveform with the played part highlighted. */
function Wave({ entry, wave }: { entry: FileEntry; wave: readonly number[] }) {
  const container = useRef<HTMLSpanElement>(null);
  const width = useWidth(container);
  const { position } = usePlayback(entry.id);
  const path = useMemo(() => barsPath(computeBars(wave, Math.floor(width / BAR_PITCH)), BAR_PITCH, WAVE_HEIGHT, BAR_WIDTH), [wave, width]);
  const playedFraction = entry.duration > 0 ? Math.min(1, position / entry.duration) : 0;
  return (
    <span ref={container} aria-hidden className="mx-3 mb-4 block w-full">
      <svg width={width} height={WAVE_HEIGHT} strokeWidth={BAR_WIDTH} strokeLinecap="round" fill="none">
        <path d={path} className="stroke-wave" />
        {playedFraction > 0 && <path d={path} className="stroke-wave-played" style={{ clipPath: `view-box inset(0 ${(1 - playedFraction) * 100}% 0 0)` }} />}
      </svg>
    </span>
  );
}

/** Renders the placeholder of a tile that is loading. */
export function SkeletonTile() {
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
