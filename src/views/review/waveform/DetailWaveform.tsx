import { Columns2, LocateFixed, ZoomIn, ZoomOut } from "lucide-react";
import { type ReactNode, useRef, useSyncExternalStore } from "react";
import { type TrackController, useTrackControllerValue } from "../../../audio/player/track-controller.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { LoopRange } from "./LoopRange.tsx";
import { Ruler } from "./Ruler.tsx";
import type { Tempo } from "./ticks.ts";
import { useDetailWaveform } from "./use-detail-waveform.ts";
import type { Samples } from "./use-samples.ts";
import { useWaveformGestures } from "./use-waveform-gestures.ts";
import { isFullView, isInView, minSpan, spanOf, type Viewport, type WaveformViewport } from "./viewport.ts";

const HEIGHT = 184;
const PHONE_HEIGHT = 128;
const COMPACT_HEIGHT = 40;

/** Factor by which a press on a zoom button changes the scale. */
const ZOOM_STEP = 2;

const CHANNEL_NAMES: Readonly<Record<number, readonly string[]>> = { 2: ["L", "R"], 6: ["L", "R", "C", "LFE", "Ls", "Rs"] };

interface DetailWaveformProps {
  trackController: TrackController;
  waveformViewport: WaveformViewport;
  samples: Samples;
  /** null if unknown. */
  tempo: Tempo | null;
  /** True if the ruler counts bars. */
  showsBars: boolean;
  perChannel: boolean;
  onPerChannelChange(on: boolean): void;
  /** The reason why no waveform is shown. */
  emptyMessage: string | null;
  /** True if the file has no waveform, so that only a timeline is shown. */
  isCompact: boolean;
  /** Renders content under the waveform on the same time axis. */
  renderBelow?: ((view: Viewport, trackController: TrackController) => ReactNode) | undefined;
}

/** Renders the zoomable waveform of the visible range with a ruler above it. */
export function DetailWaveform({
  trackController,
  waveformViewport,
  samples,
  tempo,
  showsBars,
  perChannel,
  onPerChannelChange,
  emptyMessage,
  isCompact,
  renderBelow,
}: DetailWaveformProps) {
  const container = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isPhone = useMediaQuery(PHONE);
  const height = isCompact ? COMPACT_HEIGHT : isPhone ? PHONE_HEIGHT : HEIGHT;
  const channels = perChannel ? samples.channels : 1;
  useDetailWaveform(canvas, { trackController, waveformViewport, samples, tempo, channels, height });
  useWaveformGestures(container, trackController, waveformViewport);
  return (
    <div data-testid="detail-waveform" className="mt-2 overflow-hidden rounded-lg border border-line bg-wave-bg">
      <div className="relative">
        <Ruler trackController={trackController} waveformViewport={waveformViewport} tempo={showsBars ? tempo : null} />
        <div ref={container} className="relative cursor-text touch-pan-y overflow-hidden select-none" style={{ height }}>
          <canvas ref={canvas} aria-hidden className="absolute top-0 left-0 h-full" />
          {perChannel && channels > 1 && <ChannelNames count={channels} />}
          {emptyMessage && (
            <p className="absolute inset-0 flex items-center justify-center p-4 text-center text-text-2">
              <span className="bg-wave-bg px-3">{emptyMessage}</span>
            </p>
          )}
        </div>
        <LoopRange trackController={trackController} waveformViewport={waveformViewport} />
        <WaveformTools
          trackController={trackController}
          waveformViewport={waveformViewport}
          perChannel={samples.channels > 1 ? perChannel : null}
          onPerChannelChange={onPerChannelChange}
        />
        <JumpToPlayhead trackController={trackController} waveformViewport={waveformViewport} />
      </div>
      {renderBelow && <BelowWaveform trackController={trackController} waveformViewport={waveformViewport} renderContent={renderBelow} />}
    </div>
  );
}

function BelowWaveform({
  trackController,
  waveformViewport,
  renderContent,
}: {
  trackController: TrackController;
  waveformViewport: WaveformViewport;
  renderContent: (view: Viewport, trackController: TrackController) => ReactNode;
}) {
  return renderContent(useSyncExternalStore(waveformViewport.subscribe, waveformViewport.view), trackController);
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
function JumpToPlayhead({ trackController, waveformViewport }: { trackController: TrackController; waveformViewport: WaveformViewport }) {
  const isPlaying = useTrackControllerValue(trackController, "isPlaying");
  const isPlayheadVisible = () => isInView(waveformViewport.view(), trackController.state().position);
  const subscribe = (listener: () => void) => {
    const unsubscribers = [waveformViewport.subscribe(listener), trackController.subscribe(listener)];
    return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
  };
  const isVisible = useSyncExternalStore(subscribe, isPlayheadVisible);
  if (!isPlaying || isVisible) return null;
  return (
    <IconButton
      label={t("toPlayhead")}
      onClick={() => waveformViewport.centerOn(trackController.state().position)}
      className="absolute top-9 right-2 bg-raised shadow-float"
    >
      <LocateFixed size={18} aria-hidden />
    </IconButton>
  );
}

interface WaveformToolsProps {
  trackController: TrackController;
  waveformViewport: WaveformViewport;
  /** null if the track has only one channel. */
  perChannel: boolean | null;
  onPerChannelChange(on: boolean): void;
}

/** Zoom and channel buttons, for users without a wheel or a touch screen. */
function WaveformTools({ trackController, waveformViewport, perChannel, onPerChannelChange }: WaveformToolsProps) {
  const view = useSyncExternalStore(waveformViewport.subscribe, waveformViewport.view);
  function zoom(factor: number) {
    const { position } = trackController.state();
    waveformViewport.zoom(factor, isInView(view, position) ? position : (view.from + view.to) / 2);
  }
  const sizeClass = "size-6! rounded-sm";
  return (
    <div className="absolute top-px right-0.5 flex bg-wave-bg">
      {perChannel !== null && (
        <IconButton
          label={t("separateChannels")}
          aria-pressed={perChannel}
          onClick={() => onPerChannelChange(!perChannel)}
          className={perChannel ? `${sizeClass} text-accent-text!` : sizeClass}
        >
          <Columns2 size={14} aria-hidden className="rotate-90" />
        </IconButton>
      )}
      <IconButton label={t("zoomOut")} disabled={isFullView(view, waveformViewport.duration)} onClick={() => zoom(1 / ZOOM_STEP)} className={sizeClass}>
        <ZoomOut size={14} aria-hidden />
      </IconButton>
      <IconButton
        label={t("zoomIn")}
        disabled={spanOf(view) <= minSpan(waveformViewport.duration, view.width) * 1.001}
        onClick={() => zoom(ZOOM_STEP)}
        className={sizeClass}
      >
        <ZoomIn size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
