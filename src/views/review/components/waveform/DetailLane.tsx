import { LocateFixed } from "lucide-react";
import { useRef, useSyncExternalStore, type ReactNode } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import { useDeckPart } from "../../../../audio/use-deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { PHONE, useMedia } from "../../../../ui/use-media.ts";
import type { Lane } from "../../model/lane.ts";
import type { Tempo } from "../../model/ticks.ts";
import { isInside, type Viewport } from "../../model/viewport.ts";
import { LaneTools } from "./LaneTools.tsx";
import { LoopRange } from "./LoopRange.tsx";
import { Ruler } from "./Ruler.tsx";
import { useLaneDrawing } from "./use-lane-drawing.ts";
import { useLaneGestures } from "./use-lane-gestures.ts";
import type { Samples } from "./use-samples.ts";

const HEIGHT = 184;
const PHONE_HEIGHT = 128;
const LOW_HEIGHT = 40;

interface Props {
  deck: Deck;
  lane: Lane;
  samples: Samples;
  /** null: not known. */
  tempo: Tempo | null;
  /** The ruler counts bars. */
  inBars: boolean;
  perChannel: boolean;
  onPerChannel(on: boolean): void;
  /** Why there is nothing to see. */
  empty: string | null;
  /** There is no wave and will be none: a timeline alone. */
  low: boolean;
  /** What stands under it, on the same seconds. */
  under?: ((view: Viewport, deck: Deck) => ReactNode) | undefined;
}

/** A stretch of the sound down to single beats, with the ruler over it. */
export function DetailLane({ deck, lane, samples, tempo, inBars, perChannel, onPerChannel, empty, low, under }: Props) {
  const field = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const phone = useMedia(PHONE);
  const height = low ? LOW_HEIGHT : phone ? PHONE_HEIGHT : HEIGHT;
  const channels = perChannel ? samples.channels : 1;
  useLaneDrawing(canvas, { deck, lane, samples, tempo, channels, height });
  useLaneGestures(field, deck, lane);
  return (
    <div data-testid="detail-lane" className="mt-2 overflow-hidden rounded-lg border border-line bg-wave-bg">
      <div className="relative">
        <Ruler deck={deck} lane={lane} tempo={inBars ? tempo : null} />
        <div ref={field} className="relative cursor-text touch-pan-y overflow-hidden select-none" style={{ height }}>
          <canvas ref={canvas} aria-hidden className="absolute top-0 left-0 h-full" />
          {perChannel && channels > 1 && <ChannelNames count={channels} />}
          {empty && (
            <p className="absolute inset-0 flex items-center justify-center p-4 text-center text-text-2">
              <span className="bg-wave-bg px-3">{empty}</span>
            </p>
          )}
        </div>
        <LoopRange deck={deck} lane={lane} />
        <LaneTools deck={deck} lane={lane} perChannel={samples.channels > 1 ? perChannel : null} onPerChannel={onPerChannel} />
        <BackToSound deck={deck} lane={lane} />
      </div>
      {under && <Under deck={deck} lane={lane} render={under} />}
    </div>
  );
}

function Under({ deck, lane, render }: { deck: Deck; lane: Lane; render: (view: Viewport, deck: Deck) => ReactNode }) {
  return render(useSyncExternalStore(lane.subscribe, lane.view), deck);
}

const NAMES: Readonly<Record<number, readonly string[]>> = { 2: ["L", "R"], 6: ["L", "R", "C", "LFE", "Ls", "Rs"] };

function ChannelNames({ count }: { count: number }) {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-y-0 left-1.5 flex flex-col text-xs text-text-2">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className="flex flex-1 items-start pt-0.5">
          {NAMES[count]?.[index] ?? index + 1}
        </span>
      ))}
    </div>
  );
}

/** The way back for who has looked elsewhere while it plays on. */
function BackToSound({ deck, lane }: { deck: Deck; lane: Lane }) {
  const playing = useDeckPart(deck, "playing");
  const inSight = () => isInside(lane.view(), deck.state().position);
  const subscribe = (listener: () => void) => {
    const stops = [lane.subscribe(listener), deck.subscribe(listener)];
    return () => stops.forEach((stop) => stop());
  };
  const shown = useSyncExternalStore(subscribe, inSight);
  if (!playing || shown) return null;
  return (
    <IconButton label={t("toPlayhead")} onClick={() => lane.lookAt(deck.state().position)} className="absolute top-9 right-2 bg-raised shadow-float">
      <LocateFixed size={18} aria-hidden />
    </IconButton>
  );
}
