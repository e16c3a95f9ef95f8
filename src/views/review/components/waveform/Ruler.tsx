import { useRef, useSyncExternalStore, type PointerEvent } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import { formatPosition, formatTenths } from "../../../../lib/duration.ts";
import type { Lane } from "../../model/lane.ts";
import { barsIn, ticksIn, type Tempo } from "../../model/ticks.ts";
import { secondsAt, xOf } from "../../model/viewport.ts";

/** CSS pixels. A hand that moved less has pressed, not dragged. */
const SLIP = 4;

/** CSS pixels that the lane's tools take at its right end. */
const TOOLS = 84;
/** Of the longest words. */
const WORDS = 52;

/** Times over the lane, or bars. Dragged along, it sets the loop; pressed, it seeks. */
export function Ruler({ deck, lane, tempo }: { deck: Deck; lane: Lane; tempo: Tempo | null }) {
  const view = useSyncExternalStore(lane.subscribe, lane.view);
  const strip = useRef<HTMLDivElement>(null);
  const grip = useRef<{ x: number; at: number; dragged: boolean; letGo(): void } | null>(null);
  const at = ({ clientX }: PointerEvent) => secondsAt(lane.view(), clientX - strip.current!.getBoundingClientRect().left);
  const labels = tempo
    ? barsIn(view, deck.duration, tempo).map(({ seconds, bar }) => ({ seconds, text: String(bar) }))
    : ticksIn(view, deck.duration).map((seconds) => ({ seconds, text: seconds % 1 === 0 ? formatPosition(seconds) : formatTenths(seconds) }));

  const shown = labels.filter(({ seconds }) => xOf(view, seconds) < view.width - TOOLS - WORDS);

  function onPointerUp(event: PointerEvent) {
    const held = grip.current;
    if (!held) return;
    held.letGo();
    grip.current = null;
    if (event.type !== "pointerup") return;
    if (!held.dragged) return deck.seek(at(event));
    // Who marks a stretch wants to hear it.
    const { loop, position } = deck.state();
    if (loop && (position < loop.from || position >= loop.to)) deck.seek(loop.from);
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- I and O set the loop by the keyboard
    <div
      ref={strip}
      aria-hidden
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        grip.current = { x: event.clientX, at: at(event), dragged: false, letGo: lane.hold() };
      }}
      onPointerMove={(event) => {
        const held = grip.current;
        if (!held) return;
        held.dragged ||= Math.abs(event.clientX - held.x) > SLIP;
        if (held.dragged) deck.loopBetween(held.at, at(event));
      }}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      className="tabular relative h-7 cursor-pointer touch-none overflow-hidden border-b border-line text-xs text-text-2 select-none"
    >
      {shown.map(({ seconds, text }) => (
        <span key={seconds} className="absolute top-0 flex h-full items-center border-l border-line-strong pl-1.5" style={{ left: xOf(view, seconds) }}>
          {text}
        </span>
      ))}
    </div>
  );
}
