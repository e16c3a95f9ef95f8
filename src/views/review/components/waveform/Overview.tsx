import { useEffect, useMemo, useRef, useSyncExternalStore, type KeyboardEvent, type ReactNode } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import type { Peaks } from "../../../../audio/peaks.ts";
import { useDeckPart } from "../../../../audio/use-deck.ts";
import { createWaveform, type Waveform } from "../../../../audio/waveform.ts";
import { spokenDuration } from "../../../../lib/duration.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { useTheme } from "../../../../ui/theme.ts";
import { PHONE, useMedia } from "../../../../ui/use-media.ts";
import { sliderStep } from "../../model/keys.ts";
import type { Lane } from "../../model/lane.ts";
import { toldPosition } from "../../model/told-position.ts";
import { colorOf } from "./colors.ts";
import { ViewportBox } from "./ViewportBox.tsx";

const HEIGHT = 52;
const PHONE_HEIGHT = 44;
/** What is drawn where nothing is known of the sound: a timeline to hold on to. */
const NOTHING: Peaks = { lows: new Float32Array(1), highs: new Float32Array(1) };

interface Props {
  deck: Deck;
  lane: Lane;
  name: string;
  peaks: Peaks;
  /** Better than `wave`. */
  fine: boolean;
}

/** The whole sound, and which part of it the lane below shows. */
export function Overview({ deck, lane, name, peaks, fine }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef<Waveform>(null);
  const theme = useTheme();
  const height = useMedia(PHONE) ? PHONE_HEIGHT : HEIGHT;

  useEffect(() => {
    const waveform = createWaveform(box.current!, deck);
    shown.current = waveform;
    return () => {
      shown.current = null;
      waveform.destroy();
    };
  }, [deck]);
  // After the effect above, so that a new waveform gets both.
  useEffect(
    () => shown.current?.setLook({ wave: colorOf("--wave"), played: colorOf("--wave-played"), cursor: colorOf("--text"), height }),
    [deck, theme, height],
  );
  useEffect(() => shown.current?.setPeaks(peaks.highs.length === 0 ? NOTHING : peaks), [deck, peaks]);

  return (
    <div className="relative overflow-hidden rounded-lg border border-line bg-wave-bg" data-peaks={fine ? "fine" : "coarse"}>
      <Slider deck={deck} name={name}>
        <div ref={box} className="touch-pan-y" style={{ height }} />
      </Slider>
      <LoopMark deck={deck} />
      <ViewportBox deck={deck} lane={lane} />
    </div>
  );
}

/** The page's arrow keys left and right move it; the other keys of a slider are its own. Pointers reach the drawing inside. */
function Slider({ deck, name, children }: { deck: Deck; name: string; children: ReactNode }) {
  const told = useMemo(() => toldPosition(deck), [deck]);
  const position = useSyncExternalStore(deck.subscribe, told);
  function onKeyDown(event: KeyboardEvent) {
    const by = event.altKey || event.ctrlKey || event.metaKey ? null : sliderStep(event.key, deck.duration);
    if (by === null) return;
    event.preventDefault();
    deck.seek(deck.state().position + by);
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t("position", { file: name })}
      aria-valuemin={0}
      aria-valuemax={Math.round(deck.duration)}
      aria-valuenow={Math.round(Math.min(position, deck.duration))}
      aria-valuetext={t("positionOf", { position: spokenDuration(position), duration: spokenDuration(deck.duration) })}
      onKeyDown={onKeyDown}
      className="relative isolate cursor-pointer py-0.5 focus-visible:-outline-offset-2"
    >
      {children}
    </div>
  );
}

/** Where the loop lies in the whole. */
function LoopMark({ deck }: { deck: Deck }) {
  const loop = useDeckPart(deck, "loop");
  if (!loop?.on || !(deck.duration > 0) || (loop.from === 0 && loop.to >= deck.duration)) return null;
  const [left, right] = [loop.from / deck.duration, loop.to / deck.duration];
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute bottom-0 h-0.5 min-w-0.5 bg-accent"
      style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
    />
  );
}
