import { useRef, useState, useSyncExternalStore, type PointerEvent } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import { useDeckPart } from "../../../../audio/use-deck.ts";
import { classes } from "../../../../lib/classes.ts";
import type { Lane } from "../../model/lane.ts";
import { isTouched, secondsAt, xOf } from "../../model/viewport.ts";

/** The loop over the lane, its ends to be dragged. */
export function LoopRange({ deck, lane }: { deck: Deck; lane: Lane }) {
  const view = useSyncExternalStore(lane.subscribe, lane.view);
  const loop = useDeckPart(deck, "loop");
  const grip = useRef<{ end: "from" | "to"; off: number; letGo(): void } | null>(null);
  const range = useRef<HTMLDivElement>(null);
  // What is held stays, or nobody would hear that it is let go of.
  const [isHeld, setHeld] = useState(false);
  if (!loop || (!isHeld && (!isTouched(view, loop.from, loop.to) || (loop.from === 0 && loop.to >= deck.duration)))) return null;
  const left = xOf(view, loop.from);
  const at = ({ clientX }: PointerEvent) => secondsAt(lane.view(), clientX - range.current!.parentElement!.getBoundingClientRect().left);
  const release = () => {
    grip.current?.letGo();
    grip.current = null;
    setHeld(false);
  };
  return (
    <div
      ref={range}
      aria-hidden
      data-testid="loop-range"
      className={classes("pointer-events-none absolute inset-y-0 border-x-2", loop.on ? "border-accent bg-accent-soft" : "border-line-strong bg-text/4")}
      style={{ left, width: Math.max(2, xOf(view, loop.to) - left) }}
    >
      {(["from", "to"] as const).map((end) => (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- I and O set the loop by the keyboard
        <span
          key={end}
          data-end={end}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            grip.current = { end, off: loop[end] - at(event), letGo: lane.hold() };
            setHeld(true);
          }}
          onPointerMove={(event) => grip.current && deck.dragLoop(grip.current.end, at(event) + grip.current.off)}
          onPointerUp={release}
          onPointerCancel={release}
          onLostPointerCapture={release}
          className={classes(
            "pointer-events-auto absolute top-0 h-7 w-4 cursor-ew-resize touch-none pointer-coarse:w-7",
            end === "from" ? "-left-2.5 pointer-coarse:-left-4" : "-right-2.5 pointer-coarse:-right-4",
          )}
        >
          <span
            className={classes(
              "absolute top-0 size-2",
              loop.on ? "bg-accent" : "bg-line-strong",
              end === "from" ? "left-2 pointer-coarse:left-3.5" : "right-2 pointer-coarse:right-3.5",
            )}
          />
        </span>
      ))}
    </div>
  );
}
