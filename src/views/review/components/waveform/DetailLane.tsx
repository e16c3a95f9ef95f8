import { LocateFixed } from "lucide-react";
import { useRef, useSyncExternalStore, type ReactNode } from "react";
import type { TrackController } from "../../../../audio/deck.ts";
import { useTrackControllerValue } from "../../../../audio/use-deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { PHONE, useMediaQuery } from "../../../../ui/use-media.ts";
import type { WaveformViewport } from "../../model/lane.ts";
import type { Tempo } from "../../model/ticks.ts";
import { isInView, type Viewport } from "../../model/viewport.ts";
import { WaveformTools } from "./LaneTools.tsx";
import { LoopRange } from "./LoopRange.tsx";
import { Ruler } from "./Ruler.tsx";
import { useDetailWaveform } from "./use-lane-drawing.ts";
import { useWaveformGestures } from "./use-lane-gestures.ts";
import type { Samples } from "./use-samples.ts";

const HEIGHT = 184;
const PHONE_HEIGHT = 128;
const COMPACT_HEIGHT = 40;

interface Props {
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
}: Props) {
  const container = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isPhone = useMediaQuery(PHONE);
  const height = isCompact ? COMPACT_HEIGHT : isPhone ? PHONE_HEIGHT : HEIGHT;
  const channels = perChannel ? samples.channels : 1;
  useDetailWaveform(canvas, { trackController, waveformViewport, samples, tempo, channels, height });
  useWaveformGestures(container, trackController, waveformViewport);
  return (
    <div data-testid="detail-lane" className="mt-2 overflow-hidden rounded-lg border border-line bg-wave-bg">
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

const CHANNEL_NAMES: Readonly<Record<number, readonly string[]>> = { 2: ["L", "R"], 6: ["L", "R", "C", "LFE", "Ls", "Rs"] };

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

/** Returns the view to the playhead when it is out of view during playback. */
function JumpToPlayhead({ trackController, waveformViewport }: { trackController: TrackController; waveformViewport: WaveformViewport }) {
  const playing = useTrackControllerValue(trackController, "playing");
  const isPlayheadVisible = () => isInView(waveformViewport.view(), trackController.state().position);
  const subscribe = (listener: () => void) => {
    const unsubscribers = [waveformViewport.subscribe(listener), trackController.subscribe(listener)];
    return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
  };
  const isVisible = useSyncExternalStore(subscribe, isPlayheadVisible);
  if (!playing || isVisible) return null;
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
