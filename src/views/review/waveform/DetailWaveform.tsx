import { Columns2, LocateFixed, TextSelect, ZoomIn, ZoomOut } from "lucide-react";
import { type ReactNode, useCallback, useRef, useState, useSyncExternalStore } from "react";
import { useTrackControllerValue } from "../../../audio/player/track-controller.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { usePlayerContext, useVisibleRange } from "../player/player-context.ts";
import type { LoudnessWarning } from "../facts/audio-facts.ts";
import { HoverLine } from "./HoverLine.tsx";
import { LoopRange } from "./LoopRange.tsx";
import { Ruler } from "./Ruler.tsx";
import { SelectionBar } from "./SelectionBar.tsx";
import type { Tempo } from "./ticks.ts";
import { useDetailWaveform } from "./use-detail-waveform.ts";
import type { Samples } from "./use-samples.ts";
import { useWaveformGestures } from "./use-waveform-gestures.ts";
import { isFullView, isInView, minSpan, secondsAt, spanOf } from "./viewport.ts";
import { WarningMarks } from "./WarningMarks.tsx";

const HEIGHT_PX = 184;
const PHONE_HEIGHT_PX = 128;
const COMPACT_HEIGHT_PX = 40;
const LOW_HEIGHT_PX = 84;
/** Windows in which the full height would leave little room for comments. */
const LOW_WINDOW = "(max-height: 719.98px)";

/** Part of the view that the button for touch screens selects. */
const SELECTED_FRACTION = 0.15;

/** Factor by which a press on a zoom button changes the scale. */
const ZOOM_STEP = 2;

const CHANNEL_NAMES: Readonly<Record<number, readonly string[]>> = { 2: ["L", "R"], 6: ["L", "R", "C", "LFE", "Ls", "Rs"] };

interface DetailWaveformProps {
  samples: Samples;
  /** null if unknown. */
  tempo: Tempo | null;
  /** True if the ruler counts bars. */
  showsBars: boolean;
  /** The reason why no waveform is shown. */
  emptyMessage: string | null;
  /** True if the file has no waveform, so that only a timeline is shown. */
  isCompact: boolean;
  warnings: readonly LoudnessWarning[];
  /** Starts a comment on a range in seconds. */
  onCommentRange?: ((from: number, to: number) => void) | undefined;
  /** Content under the waveform on the same time axis. */
  children: ReactNode;
}

/** Renders the zoomable waveform of the visible range with a ruler above it. */
export function DetailWaveform({ samples, tempo, showsBars, emptyMessage, isCompact, warnings, onCommentRange, children }: DetailWaveformProps) {
  const { trackController, viewport } = usePlayerContext();
  const container = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isPhone = useMediaQuery(PHONE);
  const isLow = useMediaQuery(LOW_WINDOW);
  const height = isCompact ? COMPACT_HEIGHT_PX : isLow ? LOW_HEIGHT_PX : isPhone ? PHONE_HEIGHT_PX : HEIGHT_PX;
  const isLowWaveform = height < HEIGHT_PX;
  const [showsChannels, setShowsChannels] = useState(false);
  const channels = showsChannels ? samples.channels : 1;
  useDetailWaveform(canvas, { trackController, viewport, samples, tempo, channels, height });
  useWaveformGestures(container, trackController, viewport);
  const secondsAtX = useCallback((x: number) => secondsAt(viewport.view(), x), [viewport]);
  return (
    <div data-testid="detail-waveform" className="mt-2 overflow-hidden rounded-lg border border-line bg-wave-bg">
      <div className="relative">
        <Ruler tempo={showsBars ? tempo : null} />
        <div ref={container} className="relative cursor-crosshair touch-pan-y overflow-hidden select-none" style={{ height }}>
          <canvas ref={canvas} aria-hidden className="absolute top-0 left-0 h-full" />
          <WarningMarks warnings={warnings} />
          {showsChannels && channels > 1 && <ChannelNames count={channels} />}
          {emptyMessage && (
            <p className="absolute inset-0 flex items-center justify-center p-4 text-center text-text-2">
              <span className="bg-wave-bg px-3">{emptyMessage}</span>
            </p>
          )}
        </div>
        <LoopRange />
        <HoverLine area={container} secondsAt={secondsAtX} duration={trackController.duration} />
        {!isLowWaveform && <SelectionBar isBelow={false} onComment={onCommentRange} />}
        <WaveformTools showsChannels={samples.channels > 1 ? showsChannels : null} onChannelsChange={setShowsChannels} />
        <JumpToPlayhead />
      </div>
      {isLowWaveform && <SelectionBar isBelow onComment={onCommentRange} />}
      {children}
    </div>
  );
}

function ChannelNames({ count }: { count: number }) {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-y-0 left-1.5 flex flex-col text-xs text-text-2">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className="flex flex-1 items-start pt-0.5">
          {CHANNEL_NAMES[count]?.[index] ?? index + 1}
        </span>
      ))}
    </div>
  );
}

/** Centers the view on the playhead; shown while the playhead is out of view during playback. */
function JumpToPlayhead() {
  const { trackController, viewport } = usePlayerContext();
  const isPlaying = useTrackControllerValue(trackController, "isPlaying");
  const isPlayheadVisible = () => isInView(viewport.view(), trackController.state().position);
  const subscribe = (listener: () => void) => {
    const unsubscribers = [viewport.subscribe(listener), trackController.subscribe(listener)];
    return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
  };
  const isVisible = useSyncExternalStore(subscribe, isPlayheadVisible);
  if (!isPlaying || isVisible) return null;
  return (
    <IconButton
      label={t("toPlayhead")}
      icon={LocateFixed}
      onClick={() => viewport.centerOn(trackController.state().position)}
      className="absolute top-9 right-2 bg-raised shadow-float"
    />
  );
}

/** Zoom and channel buttons, for users without a wheel or a touch screen. `showsChannels` is null if the track has only one channel. */
function WaveformTools({ showsChannels, onChannelsChange }: { showsChannels: boolean | null; onChannelsChange(showsChannels: boolean): void }) {
  const { trackController, viewport } = usePlayerContext();
  const view = useVisibleRange();
  const zoom = (factor: number) => viewport.zoomAtPlayhead(factor, trackController.state().position);
  const sizeClass = "size-6! rounded-sm";
  /** For touch screens, whose drags pan: the handles of the selection correct it. */
  const selectAtPlayhead = () => {
    const { position } = trackController.state();
    const start = isInView(view, position) ? position : view.from;
    trackController.selectRange(start, start + spanOf(view) * SELECTED_FRACTION);
  };
  return (
    <div className="absolute top-px right-0.5 flex bg-wave-bg">
      <IconButton label={t("selectRange")} icon={TextSelect} iconSize={14} onClick={selectAtPlayhead} className={`${sizeClass} pointer-fine:hidden`} />
      {showsChannels !== null && (
        <IconButton
          label={t("separateChannels")}
          aria-pressed={showsChannels}
          onClick={() => onChannelsChange(!showsChannels)}
          className={showsChannels ? `${sizeClass} text-accent-text!` : sizeClass}
        >
          <Columns2 size={14} aria-hidden className="rotate-90" />
        </IconButton>
      )}
      <IconButton
        label={t("zoomOut")}
        icon={ZoomOut}
        iconSize={14}
        disabled={isFullView(view, viewport.duration)}
        onClick={() => zoom(1 / ZOOM_STEP)}
        className={sizeClass}
      />
      <IconButton
        label={t("zoomIn")}
        icon={ZoomIn}
        iconSize={14}
        disabled={spanOf(view) <= minSpan(viewport.duration, view.width) * 1.001}
        onClick={() => zoom(ZOOM_STEP)}
        className={sizeClass}
      />
      <button
        type="button"
        aria-label={t("fitTooltip")}
        data-tooltip={t("fitTooltip")}
        disabled={isFullView(view, viewport.duration)}
        onClick={viewport.fit}
        className="h-6 rounded-sm px-1.5 text-xs font-medium text-text-2 hover:bg-hover hover:text-text disabled:pointer-events-none disabled:opacity-45"
      >
        {t("fit")}
      </button>
    </div>
  );
}
