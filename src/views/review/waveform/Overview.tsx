import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useStore } from "../../../lib/store.ts";
import { useClient } from "../../../client/client.ts";
import { useTrackControllerValue } from "../../../audio/player/track-controller.ts";
import { createOverviewWaveform, type Waveform } from "../../../audio/waveform/overview-waveform.ts";
import type { Peaks } from "../../../audio/waveform/peaks.ts";
import { formatAccessibleDuration } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { colorOf } from "../../../ui/theme.ts";
import { usePlayerContext, useVisibleRange } from "../player/player-context.ts";
import { createAnnouncedPosition } from "../player/position.ts";
import { sliderStep } from "../player/use-transport-keys.ts";
import { HoverLine } from "./HoverLine.tsx";
import { usePointerDrag } from "./use-pointer-drag.ts";
import type { Samples } from "./use-samples.ts";
import { isFullView, panView, spanOf } from "./viewport.ts";

const HEIGHT_PX = 44;
const PHONE_HEIGHT_PX = 40;
/** A flat placeholder for tracks without peaks, so that the overview still shows a timeline. */
const EMPTY_PEAKS: Peaks = { lows: new Float32Array(1), highs: new Float32Array(1) };

/** Minimum width of the viewport box in CSS pixels, so that the box stays visible and draggable when zoomed far into a long track. */
const MIN_WIDTH_PX = 10;

interface OverviewProps {
  name: string;
  samples: Samples;
  /** Content under the waveform on the same time axis. */
  children?: ReactNode;
}

/** Renders the waveform of the whole track and marks the range the detail waveform shows. */
export function Overview({ name, samples: { peaks, hasFinePeaks }, children }: OverviewProps) {
  const { trackController } = usePlayerContext();
  const area = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const waveformRef = useRef<Waveform>(null);
  const theme = useStore(useClient().theme.applied);
  const height = useMediaQuery(PHONE) ? PHONE_HEIGHT_PX : HEIGHT_PX;

  useEffect(() => {
    const waveform = createOverviewWaveform(container.current!, trackController);
    waveformRef.current = waveform;
    return () => {
      waveformRef.current = null;
      waveform.destroy();
    };
  }, [trackController]);
  // Runs after the effect above, so that a new waveform gets its style and peaks.
  useEffect(
    () => waveformRef.current?.setStyle({ wave: colorOf("--wave"), played: colorOf("--wave-played"), playhead: colorOf("--text"), height }),
    [trackController, theme, height],
  );
  useEffect(() => waveformRef.current?.setPeaks(peaks.highs.length === 0 ? EMPTY_PEAKS : peaks), [trackController, peaks]);

  return (
    <div className="relative overflow-hidden rounded-lg border border-line bg-wave-bg" data-peaks={hasFinePeaks ? "fine" : "coarse"}>
      <div ref={area} className="relative">
        <PositionSlider name={name}>
          <div ref={container} className="touch-pan-y" style={{ height }} />
        </PositionSlider>
        <LoopIndicator />
        <ViewportBox />
        <OverviewHoverLine area={area} />
      </div>
      {children}
    </div>
  );
}

function OverviewHoverLine({ area }: { area: RefObject<HTMLElement | null> }) {
  const { duration } = usePlayerContext().trackController;
  const secondsAtX = useCallback((x: number, width: number) => (x / width) * duration, [duration]);
  return <HoverLine area={area} secondsAt={secondsAtX} duration={duration} />;
}

/** The slider handles all slider keys except the left and right arrows, which the page handles. The waveform inside handles pointers. */
function PositionSlider({ name, children }: { name: string; children: ReactNode }) {
  const { trackController, slider } = usePlayerContext();
  const readPosition = useMemo(() => createAnnouncedPosition(trackController), [trackController]);
  const position = useSyncExternalStore(trackController.subscribe, readPosition);
  function onKeyDown(event: KeyboardEvent) {
    const stepSeconds = event.altKey || event.ctrlKey || event.metaKey ? null : sliderStep(event.key, trackController.duration);
    if (stepSeconds === null) return;
    event.preventDefault();
    trackController.seek(trackController.state().position + stepSeconds);
  }
  return (
    <div
      ref={slider}
      role="slider"
      tabIndex={0}
      aria-label={t("position", { file: name })}
      aria-valuemin={0}
      aria-valuemax={Math.round(trackController.duration)}
      aria-valuenow={Math.round(Math.min(position, trackController.duration))}
      aria-valuetext={t("positionOf", { position: formatAccessibleDuration(position), duration: formatAccessibleDuration(trackController.duration) })}
      onKeyDown={onKeyDown}
      className="relative isolate cursor-pointer py-0.5 focus-visible:-outline-offset-2"
    >
      {children}
    </div>
  );
}

function LoopIndicator() {
  const { trackController } = usePlayerContext();
  const loop = useTrackControllerValue(trackController, "loop");
  if (!loop?.on || !(trackController.duration > 0) || (loop.from === 0 && loop.to >= trackController.duration)) return null;
  const [left, right] = [loop.from / trackController.duration, loop.to / trackController.duration];
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute bottom-0 h-0.5 min-w-0.5 bg-accent"
      style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
    />
  );
}

/** Marks the range that the detail waveform shows. A drag pans it, a drag on an edge resizes it, and a click seeks. */
function ViewportBox() {
  const { trackController, viewport } = usePlayerContext();
  const { duration } = viewport;
  const view = useVisibleRange();
  const container = useRef<HTMLDivElement>(null);
  /** Seconds per CSS pixel of the overview. */
  const scale = () => duration / container.current!.parentElement!.clientWidth;
  const { isDragging, handlers } = usePointerDrag({
    onStart: ({ target, clientX }) => ({ edge: (target as HTMLElement).dataset["edge"] as "from" | "to" | undefined, x: clientX, view }),
    onMove({ clientX }, start) {
      const seconds = (clientX - start.x) * scale();
      if (start.edge) viewport.moveEdge(start.edge, start.view[start.edge] + seconds);
      else viewport.setView(panView(start.view, seconds, duration));
    },
    onEnd({ clientX }, outcome) {
      if (outcome === "clicked") trackController.seek((clientX - container.current!.parentElement!.getBoundingClientRect().left) * scale());
    },
  });
  if (!(duration > 0) || (isFullView(view, duration) && !isDragging)) return null;

  const left = (view.from / duration) * 100;
  const width = (spanOf(view) / duration) * 100;
  const center = left + width / 2;
  return (
    <div
      ref={container}
      aria-hidden
      data-testid="viewport-box"
      {...handlers}
      style={{ left: `${center}%`, width: `max(${width}%, ${MIN_WIDTH_PX}px)` }}
      className="absolute inset-y-0 -translate-x-1/2 cursor-grab touch-none rounded-md border-2 border-text-3 bg-text/8 active:cursor-grabbing"
    >
      {(["from", "to"] as const).map((edge) => (
        <span
          key={edge}
          data-edge={edge}
          className={`absolute inset-y-0 w-3 cursor-ew-resize pointer-coarse:w-6 ${edge === "from" ? "-left-2 pointer-coarse:-left-5" : "-right-2 pointer-coarse:-right-5"}`}
        />
      ))}
    </div>
  );
}
