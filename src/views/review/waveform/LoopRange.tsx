import { useRef, useState, useSyncExternalStore, type PointerEvent } from "react";
import { type TrackController, useTrackControllerValue } from "../../../audio/player/track-controller.ts";
import { classNames } from "../../../lib/class-names.ts";
import { isRangeVisible, secondsAt, toX, type ViewportStore } from "./viewport.ts";

/** Renders the loop over the waveform with draggable edges. */
export function LoopRange({ trackController, viewport }: { trackController: TrackController; viewport: ViewportStore }) {
  const view = useSyncExternalStore(viewport.subscribe, viewport.view);
  const loop = useTrackControllerValue(trackController, "loop");
  const drag = useRef<{ edge: "from" | "to"; offset: number; resumeFollowing(): void } | null>(null);
  const rangeRef = useRef<HTMLDivElement>(null);
  // The element stays mounted while dragged, so that it receives the pointer release.
  const [isDragging, setIsDragging] = useState(false);
  if (!loop || (!isDragging && (!isRangeVisible(view, loop.from, loop.to) || (loop.from === 0 && loop.to >= trackController.duration)))) return null;
  const left = toX(view, loop.from);
  const secondsAtPointer = ({ clientX }: PointerEvent) => secondsAt(viewport.view(), clientX - rangeRef.current!.parentElement!.getBoundingClientRect().left);
  const endDrag = () => {
    drag.current?.resumeFollowing();
    drag.current = null;
    setIsDragging(false);
  };
  return (
    <div
      ref={rangeRef}
      aria-hidden
      data-testid="loop-range"
      className={classNames("pointer-events-none absolute inset-y-0 border-x-2", loop.on ? "border-accent bg-accent-soft" : "border-line-strong bg-text/4")}
      style={{ left, width: Math.max(2, toX(view, loop.to) - left) }}
    >
      {(["from", "to"] as const).map((edge) => (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- on the keyboard, I and O set the loop
        <span
          key={edge}
          data-end={edge}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            drag.current = { edge, offset: loop[edge] - secondsAtPointer(event), resumeFollowing: viewport.suspendFollowing() };
            setIsDragging(true);
          }}
          onPointerMove={(event) => drag.current && trackController.moveLoopEdge(drag.current.edge, secondsAtPointer(event) + drag.current.offset)}
          onPointerUp={endDrag}
          onPointerCancel={endDrag}
          onLostPointerCapture={endDrag}
          className={classNames(
            "pointer-events-auto absolute top-0 h-7 w-4 cursor-ew-resize touch-none pointer-coarse:w-7",
            edge === "from" ? "-left-2.5 pointer-coarse:-left-4" : "-right-2.5 pointer-coarse:-right-4",
          )}
        >
          <span
            className={classNames(
              "absolute top-0 size-2",
              loop.on ? "bg-accent" : "bg-line-strong",
              edge === "from" ? "left-2 pointer-coarse:left-3.5" : "right-2 pointer-coarse:right-3.5",
            )}
          />
        </span>
      ))}
    </div>
  );
}
