import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { Deck } from "../../../audio/deck.ts";
import { peaksOfWave, readPeaks } from "../../../audio/peaks.ts";
import type { Track } from "../../../audio/player.ts";
import { useDeckState } from "../../../audio/use-deck.ts";
import { createWaveform, type Waveform, type WaveformLook } from "../../../audio/waveform.ts";
import { formatPosition, formatTenths, spokenDuration } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/review.ts";
import { usePeaks } from "../../../queries/files/use-peaks.ts";
import { useTheme } from "../../../ui/theme.ts";
import { PHONE, useMedia } from "../../../ui/use-media.ts";
import { useWidth } from "../../../ui/use-width.ts";
import { ticksOf } from "../model/ticks.ts";

const HEIGHT = 188;
const PHONE_HEIGHT = 128;
/** A drawing is never wider than the screen; more values than this are of no use. */
const MOST_PIXELS = 8_192;
const screenPixels = () => Math.min(MOST_PIXELS, Math.ceil(screen.width * devicePixelRatio));

function lookOf(height: number): WaveformLook {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return { wave: color("--wave"), played: color("--wave-played"), cursor: color("--text"), height };
}

/** The whole sound: first by `wave`, which is there already, then by the service's finer samples. */
export function MainWaveform({ deck, track, underWay }: { deck: Deck; track: Track; underWay: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef<Waveform>(null);
  const width = useWidth(box);
  const theme = useTheme();
  const height = useMedia(PHONE) ? PHONE_HEIGHT : HEIGHT;
  const bytes = usePeaks(track.fileId, track.wave.length > 0 ? track.version : null, screenPixels());
  const fine = useMemo(() => (bytes ? readPeaks(bytes) : null), [bytes]);
  const coarse = useMemo(() => peaksOfWave(track.wave), [track.wave]);
  const peaks = fine ?? coarse;
  const empty = peaks.highs.length === 0 || !(track.duration > 0);

  useEffect(() => {
    if (empty) return;
    const waveform = createWaveform(box.current!, deck);
    shown.current = waveform;
    return () => {
      shown.current = null;
      waveform.destroy();
    };
  }, [deck, empty]);
  // After the effect above, so that a new waveform gets both.
  useEffect(() => shown.current?.setLook(lookOf(height)), [deck, empty, theme, height]);
  useEffect(() => shown.current?.setPeaks(peaks), [deck, empty, peaks]);

  return (
    <div className="overflow-hidden rounded-lg border border-line bg-wave-bg" data-peaks={fine ? "fine" : "coarse"}>
      <div aria-hidden className="tabular relative h-6 border-b border-line text-xs text-text-2">
        {ticksOf(track.duration, width).map((seconds) => (
          <span key={seconds} className="absolute top-1 border-l border-line-strong pl-1.5" style={{ left: `${(seconds / track.duration) * 100}%` }}>
            {seconds % 1 === 0 ? formatPosition(seconds) : formatTenths(seconds)}
          </span>
        ))}
      </div>
      <Slider deck={deck} name={track.name}>
        <div ref={box} className="touch-pan-y" style={{ height }} />
        {empty && <p className="absolute inset-0 flex items-center justify-center p-4 text-center text-text-2">{t(underWay ? "waveLater" : "noWave")}</p>}
      </Slider>
    </div>
  );
}

/** The arrow keys of the page move it; pointers reach the drawing inside. */
function Slider({ deck, name, children }: { deck: Deck; name: string; children: ReactNode }) {
  const { position } = useDeckState(deck);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t("position", { file: name })}
      aria-valuemin={0}
      aria-valuemax={Math.round(deck.duration)}
      aria-valuenow={Math.round(Math.min(position, deck.duration))}
      aria-valuetext={t("positionOf", { position: spokenDuration(position), duration: spokenDuration(deck.duration) })}
      className="relative cursor-pointer py-2 focus-visible:-outline-offset-2"
    >
      {children}
    </div>
  );
}
