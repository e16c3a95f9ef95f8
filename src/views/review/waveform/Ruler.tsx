import { useRef, useSyncExternalStore, type PointerEvent } from "react";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import { formatPosition, formatTenths } from "../../../lib/format.ts";
import { computeBarLabels, computeTicks, type Tempo } from "./ticks.ts";
import { CLICK_TOLERANCE_PX, secondsAt, toX, type ViewportStore } from "./viewport.ts";

/** Width in CSS pixels of the tools at the right end of the ruler. */
const TOOLS_WIDTH_PX = 84;
/** Width of the longest label in CSS pixels. */
const MAX_LABEL_WIDTH_PX = 52;

/** Renders times or bar numbers above the waveform. A drag sets the loop and a click seeks. */
export function Ruler({ trackController, viewport, tempo }: { trackController: TrackController; viewport: ViewportStore; tempo: Tempo | null }) {
  const view = useSyncExternalStore(viewport.subscribe, viewport.view);
  const strip = useRef<HTMLDivElement>(null);
  const dragRef = useRef<{ x: number; startSeconds: number; hasMoved: boolean; resumeFollowing(): void } | null>(null);
  const secondsAtPointer = ({ clientX }: PointerEvent) => secondsAt(viewport.view(), clientX - strip.current!.getBoundingClientRect().left);
  const labels = tempo
    ? computeBarLabels(view, trackController.duration, tempo).map(({ seconds, bar }) => ({ seconds, text: String(bar) }))
    : computeTicks(view, trackController.duration).map((seconds) => ({ seconds, text: seconds % 1 === 0 ? formatPosition(seconds) : formatTenths(seconds) }));

  const visibleLabels = labels.filter(({ seconds }) => toX(view, seconds) < view.width - TOOLS_WIDTH_PX - MAX_LABEL_WIDTH_PX);

  function onPointerUp(event: PointerEvent) {
    const drag = dragRef.current;
    if (!drag) return;
    drag.resumeFollowing();
    dragRef.current = null;
    if (event.type !== "pointerup") return;
    if (!drag.hasMoved) return trackController.seek(secondsAtPointer(event));
    // A position outside the new loop jumps to the start of the loop.
    const { loop, position } = trackController.state();
    if (loop && (position < loop.from || position >= loop.to)) trackController.seek(loop.from);
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- on the keyboard, I and O set the loop
    <div
      ref={strip}
      aria-hidden
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        dragRef.current = { x: event.clientX, startSeconds: secondsAtPointer(event), hasMoved: false, resumeFollowing: viewport.suspendFollowing() };
      }}
      onPointerMove={(event) => {
        const drag = dragRef.current;
        if (!drag) return;
        drag.hasMoved ||= Math.abs(event.clientX - drag.x) > CLICK_TOLERANCE_PX;
        if (drag.hasMoved) trackController.setLoopRange(drag.startSeconds, secondsAtPointer(event));
      }}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
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
