/** A press on the microphone: a short one begins and leaves it on, a long one ends with its release, one that is dragged away cancels. */
import { useRef, useState, type MouseEvent, type PointerEvent } from "react";

/** Held this long, the release finishes. */
const HOLD_MS = 500;
/** Dragged this far, in CSS pixels, the release cancels. */
const CANCEL_DISTANCE_PX = 80;

interface PressAndHoldOptions {
  phase: "idle" | "asking" | "recording" | "ending";
  onBegin(): void;
  onFinish(): void;
  onCancel(): void;
}

export function usePressAndHold({ phase, onBegin, onFinish, onCancel }: PressAndHoldOptions) {
  const idle = phase === "idle";
  const press = useRef<{ x: number; y: number; at: number } | null>(null);
  /** This press has begun it: the click that follows must not end it. */
  const startedByPress = useRef(false);
  const [holdState, setHoldState] = useState<"near" | "away" | null>(null);
  const isDraggedAway = ({ clientX, clientY }: PointerEvent) =>
    press.current !== null && Math.hypot(clientX - press.current.x, clientY - press.current.y) > CANCEL_DISTANCE_PX;
  const release = () => {
    press.current = null;
    setHoldState(null);
  };
  return {
    holdState,
    handlers: {
      onPointerDown(event: PointerEvent) {
        startedByPress.current = idle && event.button === 0;
        if (!startedByPress.current) return;
        press.current = { x: event.clientX, y: event.clientY, at: event.timeStamp };
        event.currentTarget.setPointerCapture(event.pointerId);
        setHoldState("near");
        onBegin();
      },
      onPointerMove: (event: PointerEvent) => press.current && setHoldState(isDraggedAway(event) ? "away" : "near"),
      onPointerUp(event: PointerEvent) {
        if (!press.current) return;
        const isLongPress = event.timeStamp - press.current.at >= HOLD_MS;
        const draggedAway = isDraggedAway(event);
        release();
        if (draggedAway) onCancel();
        // While the browser still asks, it goes on without the finger.
        else if (isLongPress && phase === "recording") onFinish();
      },
      // The browser has taken it, to ask for the microphone or to scroll: it stays on.
      onPointerCancel: release,
      onLostPointerCapture: release,
      onClick(event: MouseEvent) {
        // By key or by a screen reader there was no press before.
        if (startedByPress.current && event.detail > 0) return void (startedByPress.current = false);
        if (idle) onBegin();
        else onFinish();
      },
      // A finger that rests means to speak, not to open a menu.
      onContextMenu: (event: MouseEvent) => event.preventDefault(),
      // Held down it would begin and end by turns.
      onKeyDown: (event: { key: string; repeat: boolean; preventDefault(): void }) => event.repeat && event.preventDefault(),
    },
  };
}
