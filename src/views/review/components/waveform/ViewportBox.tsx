import { useRef, useState, useSyncExternalStore, type PointerEvent } from "react";
import type { TrackController } from "../../../../audio/deck.ts";
import type { WaveformViewport } from "../../model/lane.ts";
import { isFullView, panView, spanOf, type Viewport } from "../../model/viewport.ts";

/** CSS pixels. A shorter movement counts as a click, not a drag. */
const CLICK_TOLERANCE_PX = 4;
/** Minimum box width in CSS pixels, so that the box stays visible and draggable when zoomed far into a long track. */
const MIN_WIDTH_PX = 10;

interface DragState {
  part: "box" | "from" | "to";
  x: number;
  view: Viewport;
  dragged: boolean;
  releaseHold(): void;
}

/** Marks the range that the detail waveform shows. A drag pans it, a drag on an edge resizes it, and a click seeks. */
export function ViewportBox({ trackController, waveformViewport }: { trackController: TrackController; waveformViewport: WaveformViewport }) {
  const { duration } = waveformViewport;
  const view = useSyncExternalStore(waveformViewport.subscribe, waveformViewport.view);
  const container = useRef<HTMLDivElement>(null);
  const dragRef = useRef<DragState>(null);
  // The element stays mounted while dragged, so that it receives the pointer release.
  const [isDragging, setIsDragging] = useState(false);
  if (!(duration > 0) || (isFullView(view, duration) && !isDragging)) return null;

  /** Seconds per CSS pixel of the overview. */
  const scale = () => duration / container.current!.parentElement!.clientWidth;
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const edge = (event.target as HTMLElement).dataset["edge"] as "from" | "to" | undefined;
    dragRef.current = { part: edge ?? "box", x: event.clientX, view, dragged: false, releaseHold: waveformViewport.suspendFollowing() };
    setIsDragging(true);
  }
  function onPointerMove({ clientX }: PointerEvent) {
    const drag = dragRef.current;
    if (!drag) return;
    drag.dragged ||= Math.abs(clientX - drag.x) > CLICK_TOLERANCE_PX;
    if (!drag.dragged) return;
    const seconds = (clientX - drag.x) * scale();
    if (drag.part === "box") waveformViewport.setView(panView(drag.view, seconds, duration));
    else waveformViewport.moveEdge(drag.part, drag.view[drag.part] + seconds);
  }
  function onPointerUp({ clientX }: PointerEvent) {
    const drag = dragRef.current;
    if (!drag) return;
    endDrag();
    if (!drag.dragged) trackController.seek((clientX - container.current!.parentElement!.getBoundingClientRect().left) * scale());
  }
  function endDrag() {
    dragRef.current?.releaseHold();
    dragRef.current = null;
    setIsDragging(false);
  }

  const left = (view.from / duration) * 100;
  const width = (spanOf(view) / duration) * 100;
  const center = left + width / 2;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the page do the same to the lane
    <div
      ref={container}
      aria-hidden
      data-testid="viewport-box"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={endDrag}
      onLostPointerCapture={endDrag}
      style={{ left: `${center}%`, width: `max(${width}%, ${MIN_WIDTH_PX}px)` }}
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
