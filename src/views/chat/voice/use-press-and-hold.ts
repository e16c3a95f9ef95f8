/** Handles presses on the microphone: a short one starts recording, a long one also ends it on release, and dragging away cancels. */
import { type MouseEvent, type PointerEvent, useRef, useState } from "react";
import type { Recording } from "../../../audio/recorder/recording.ts";

/** Milliseconds after which the release ends the recording. */
const HOLD_MS = 500;
/** CSS pixels of movement after which the release cancels the recording. */
const CANCEL_DISTANCE_PX = 80;

interface PressAndHoldOptions {
  phase: Recording["phase"];
  onBegin(): void;
  onFinish(): void;
  onCancel(): void;
}

export function usePressAndHold({ phase, onBegin, onFinish, onCancel }: PressAndHoldOptions) {
  const isIdle = phase === "idle";
  const press = useRef<{ x: number; y: number; at: number } | null>(null);
  /** True if this press started the recording, so that the click that follows does not end it. */
  const wasStartedByPress = useRef(false);
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
        wasStartedByPress.current = isIdle && event.button === 0;
        if (!wasStartedByPress.current) return;
        press.current = { x: event.clientX, y: event.clientY, at: event.timeStamp };
        event.currentTarget.setPointerCapture(event.pointerId);
        setHoldState("near");
        onBegin();
      },
      onPointerMove: (event: PointerEvent) => press.current && setHoldState(isDraggedAway(event) ? "away" : "near"),
      onPointerUp(event: PointerEvent) {
        if (!press.current) return;
        const isLongPress = event.timeStamp - press.current.at >= HOLD_MS;
        const wasDraggedAway = isDraggedAway(event);
        release();
        if (wasDraggedAway) onCancel();
        // While the browser still asks for the microphone, the release does not end the recording.
        else if (isLongPress && phase === "recording") onFinish();
      },
      // The browser took over the pointer, to ask for the microphone or to scroll, so the recording continues.
      onPointerCancel: release,
      onLostPointerCapture: release,
      onClick(event: MouseEvent) {
        // Clicks by keyboard or screen reader have no preceding press.
        if (wasStartedByPress.current && event.detail > 0) return void (wasStartedByPress.current = false);
        if (isIdle) onBegin();
        else onFinish();
      },
      // Holding a finger on the button records, so it must not open the context menu.
      onContextMenu: (event: MouseEvent) => event.preventDefault(),
      // A key held down repeats its click, which would start and end recordings in turn.
      onKeyDown: (event: { key: string; repeat: boolean; preventDefault(): void }) => event.repeat && event.preventDefault(),
    },
  };
}
