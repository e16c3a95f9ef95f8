import { useEffect, useMemo, useRef, useSyncExternalStore, type KeyboardEvent, type ReactNode } from "react";
import type { TrackController } from "../../../../audio/deck.ts";
import type { Peaks } from "../../../../audio/peaks.ts";
import { useTrackControllerValue } from "../../../../audio/use-deck.ts";
import { createWaveform, type Waveform } from "../../../../audio/waveform.ts";
import { formatAccessibleDuration } from "../../../../lib/duration.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { useTheme } from "../../../../ui/theme.ts";
import { PHONE, useMediaQuery } from "../../../../ui/use-media.ts";
import { sliderStep } from "../../model/keys.ts";
import type { WaveformViewport } from "../../model/lane.ts";
import { createAnnouncedPosition } from "../../model/told-position.ts";
import { colorOf } from "./colors.ts";
import { ViewportBox } from "./ViewportBox.tsx";

const HEIGHT = 52;
const PHONE_HEIGHT = 44;
/** A flat placeholder for tracks without peaks, so that the overview still shows a timeline. */
const EMPTY_PEAKS: Peaks = { lows: new Float32Array(1), highs: new Float32Array(1) };

interface Props {
  trackController: TrackController;
  waveformViewport: WaveformViewport;
  name: string;
  peaks: Peaks;
  /** True if the peaks are finer than the track's `wave`. */
  hasFinePeaks: boolean;
}

/** Renders the waveform of the whole track and marks the range the detail waveform shows. */
export function Overview({ trackController, waveformViewport, name, peaks, hasFinePeaks }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const waveformRef = useRef<Waveform>(null);
  const theme = useTheme();
  const height = useMediaQuery(PHONE) ? PHONE_HEIGHT : HEIGHT;

  useEffect(() => {
    const waveform = createWaveform(container.current!, trackController);
    waveformRef.current = waveform;
    return () => {
      waveformRef.current = null;
      waveform.destroy();
    };
  }, [trackController]);
  // Runs after the effect above, so that a new waveform gets its style and peaks.
  useEffect(
    () => waveformRef.current?.setStyle({ wave: colorOf("--wave"), played: colorOf("--wave-played"), cursor: colorOf("--text"), height }),
    [trackController, theme, height],
  );
  useEffect(() => waveformRef.current?.setPeaks(peaks.highs.length === 0 ? EMPTY_PEAKS : peaks), [trackController, peaks]);

  return (
    <div className="relative overflow-hidden rounded-lg border border-line bg-wave-bg" data-peaks={hasFinePeaks ? "fine" : "coarse"}>
      <PositionSlider trackController={trackController} name={name}>
        <div ref={container} className="touch-pan-y" style={{ height }} />
      </PositionSlider>
      <LoopIndicator trackController={trackController} />
      <ViewportBox trackController={trackController} waveformViewport={waveformViewport} />
    </div>
  );
}

/** The slider handles all slider keys except the left and right arrows, which the page handles. The waveform inside handles pointers. */
function PositionSlider({ trackController, name, children }: { trackController: TrackController; name: string; children: ReactNode }) {
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

/** Shows the loop within the whole track. */
function LoopIndicator({ trackController }: { trackController: TrackController }) {
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
