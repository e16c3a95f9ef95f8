import { useRef, useState, useSyncExternalStore, type PointerEvent } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import type { Lane } from "../../model/lane.ts";
import { isWhole, moved, spanOf, type Viewport } from "../../model/viewport.ts";

/** CSS pixels. A hand that moved less has pressed, not dragged. */
const SLIP = 4;
/** What a long sound's beats leave of the box is still to be seen and held. */
const LEAST_WIDTH = 10;

interface Grip {
  what: "box" | "from" | "to";
  x: number;
  view: Viewport;
  dragged: boolean;
  letGo(): void;
}

/** The part of the whole that the lane shows: dragged it moves, by its edges it grows, pressed it is sound as everywhere. */
export function ViewportBox({ deck, lane }: { deck: Deck; lane: Lane }) {
  const { duration } = lane;
  const view = useSyncExternalStore(lane.subscribe, lane.view);
  const box = useRef<HTMLDivElement>(null);
  const grip = useRef<Grip>(null);
  // What is held stays, or nobody would hear that it is let go of.
  const [isHeld, setHeld] = useState(false);
  if (!(duration > 0) || (isWhole(view, duration) && !isHeld)) return null;

  /** Seconds per CSS pixel of the overview. */
  const scale = () => duration / box.current!.parentElement!.clientWidth;
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const what = (event.target as HTMLElement).dataset["edge"] as "from" | "to" | undefined;
    grip.current = { what: what ?? "box", x: event.clientX, view, dragged: false, letGo: lane.hold() };
    setHeld(true);
  }
  function onPointerMove({ clientX }: PointerEvent) {
    const held = grip.current;
    if (!held) return;
    held.dragged ||= Math.abs(clientX - held.x) > SLIP;
    if (!held.dragged) return;
    const seconds = (clientX - held.x) * scale();
    if (held.what === "box") lane.show(moved(held.view, seconds, duration));
    else lane.moveEdge(held.what, held.view[held.what] + seconds);
  }
  function onPointerUp({ clientX }: PointerEvent) {
    const held = grip.current;
    if (!held) return;
    release();
    if (!held.dragged) deck.seek((clientX - box.current!.parentElement!.getBoundingClientRect().left) * scale());
  }
  function release() {
    grip.current?.letGo();
    grip.current = null;
    setHeld(false);
  }

  const left = (view.from / duration) * 100;
  const width = (spanOf(view) / duration) * 100;
  const middle = left + width / 2;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the page do the same to the lane
    <div
      ref={box}
      aria-hidden
      data-testid="viewport-box"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={release}
      onLostPointerCapture={release}
      style={{ left: `${middle}%`, width: `max(${width}%, ${LEAST_WIDTH}px)` }}
      className="absolute inset-y-0 -translate-x-1/2 cursor-grab touch-none rounded-md border-2 border-text-3 bg-text/8 active:cursor-grabbing"
    >
      {(["from", "to"] as const).map((edge) => (
        <span
          key={edge}
          data-edge={edge}
          className={`absolute inset-y-0 w-3 cursor-ew-resize pointer-coarse:w-6 ${edge === "from" ? "-left-2 pointer-coarse:-left-5" : "-right-2 pointer-coarse:-right-5"}`}
        />
      ))}
    </div>
  );
}
