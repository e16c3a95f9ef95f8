import { type PointerEvent, useRef } from "react";
import { formatPosition, formatTenths } from "../../../lib/format.ts";
import { usePlayerContext, useVisibleRange } from "../player/player-context.ts";
import { computeBarLabels, computeTicks, type Tempo } from "./ticks.ts";
import { usePointerDrag } from "./use-pointer-drag.ts";
import { secondsAt, toX } from "./viewport.ts";

/** Width in CSS pixels of the tools at the right end of the ruler. */
const TOOLS_WIDTH_PX = 128;
const MAX_LABEL_WIDTH_PX = 52;

/** Renders times or bar numbers above the waveform. A drag sets the loop and a click seeks. */
export function Ruler({ tempo }: { tempo: Tempo | null }) {
  const { trackController, viewport } = usePlayerContext();
  const view = useVisibleRange();
  const strip = useRef<HTMLDivElement>(null);
  const secondsAtPointer = ({ clientX }: PointerEvent) => secondsAt(viewport.view(), clientX - strip.current!.getBoundingClientRect().left);
  const { handlers } = usePointerDrag({
    onStart: secondsAtPointer,
    onMove: (event, startSeconds) => trackController.setLoopRange(startSeconds, secondsAtPointer(event)),
    onEnd(event, outcome) {
      if (outcome === "clicked") return trackController.seek(secondsAtPointer(event));
      // A position outside the new loop jumps to the start of the loop.
      const { loop, position } = trackController.state();
      if (outcome === "dragged" && loop && (position < loop.from || position >= loop.to)) trackController.seek(loop.from);
    },
  });
  const labels = tempo
    ? computeBarLabels(view, trackController.duration, tempo).map(({ seconds, bar }) => ({ seconds, text: String(bar) }))
    : computeTicks(view, trackController.duration).map((seconds) => ({ seconds, text: seconds % 1 === 0 ? formatPosition(seconds) : formatTenths(seconds) }));
  const visibleLabels = labels.filter(({ seconds }) => toX(view, seconds) < view.width - TOOLS_WIDTH_PX - MAX_LABEL_WIDTH_PX);
  return (
    <div
      ref={strip}
      aria-hidden
      {...handlers}
      className="tabular relative h-7 cursor-pointer touch-none overflow-hidden border-b border-line text-xs text-text-2 select-none"
    >
      {visibleLabels.map(({ seconds, text }) => (
        <span key={seconds} className="absolute top-0 flex h-full items-center border-l border-line-strong pl-1.5" style={{ left: toX(view, seconds) }}>
          {text}
        </span>
      ))}
    </div>
  );
}
