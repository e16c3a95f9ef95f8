import { type PointerEvent, useRef } from "react";
import { useTrackControllerValue } from "../../../audio/player/track-controller.ts";
import { classNames } from "../../../lib/class-names.ts";
import { usePlayerContext, useVisibleRange } from "../player/player-context.ts";
import { usePointerDrag } from "./use-pointer-drag.ts";
import { isSelectionVisible, secondsAt, toX } from "./viewport.ts";

export function LoopRange() {
  const { trackController, viewport } = usePlayerContext();
  const view = useVisibleRange();
  const loop = useTrackControllerValue(trackController, "loop");
  const rangeRef = useRef<HTMLDivElement>(null);
  const secondsAtPointer = ({ clientX }: PointerEvent) => secondsAt(viewport.view(), clientX - rangeRef.current!.parentElement!.getBoundingClientRect().left);
  const { isDragging, handlers } = usePointerDrag({
    startsAtOnce: true,
    onStart(event) {
      const edge = event.currentTarget.dataset["end"] as "from" | "to";
      return loop && { edge, offset: loop[edge] - secondsAtPointer(event) };
    },
    onMove: (event, { edge, offset }) => trackController.moveLoopEdge(edge, secondsAtPointer(event) + offset),
  });
  if (!loop || (!isDragging && !isSelectionVisible(view, loop, trackController.duration))) return null;
  const left = toX(view, loop.from);
  return (
    <div
      ref={rangeRef}
      aria-hidden
      data-testid="loop-range"
      className={classNames("pointer-events-none absolute inset-y-0 border-x-2", loop.on ? "border-accent bg-accent-soft" : "border-text-2 bg-text/10")}
      style={{ left, width: Math.max(2, toX(view, loop.to) - left) }}
    >
      {(["from", "to"] as const).map((edge) => (
        <span
          key={edge}
          data-end={edge}
          {...handlers}
          className={classNames(
            "pointer-events-auto absolute inset-y-0 w-4 cursor-ew-resize touch-none pointer-coarse:w-7",
            edge === "from" ? "-left-2.5 pointer-coarse:-left-4" : "-right-2.5 pointer-coarse:-right-4",
          )}
        >
          <span
            className={classNames(
              "absolute top-0 size-2",
              loop.on ? "bg-accent" : "bg-text-2",
              edge === "from" ? "left-2 pointer-coarse:left-3.5" : "right-2 pointer-coarse:right-3.5",
            )}
          />
        </span>
      ))}
    </div>
  );
}
