import { type PointerEvent, useEffect, useRef, useState } from "react";
import { usePlayerContext } from "../player/player-context.ts";
import { CLICK_TOLERANCE_PX } from "./viewport.ts";

type DragEvent = PointerEvent<HTMLElement>;

interface DragOptions<Start> {
  /** True if the first movement already drags, where a press without movement does nothing. */
  startsAtOnce?: boolean;
  /** True if the view follows playback during the drag, too. */
  followsPlayback?: boolean;
  /** Returns the state at the start, for the other functions; null if no drag may start here. */
  onStart(event: DragEvent): Start | null;
  /** Called for each movement of the drag. */
  onMove(event: DragEvent, start: Start): void;
  onEnd?(event: DragEvent, outcome: "dragged" | "clicked" | "canceled"): void;
}

/** Handles drags and clicks by the main button; a drag begins where the pointer has moved further than in a click. */
export function usePointerDrag<Start>({ startsAtOnce = false, followsPlayback = false, onStart, onMove, onEnd }: DragOptions<Start>) {
  const { viewport } = usePlayerContext();
  const drag = useRef<{ start: Start; x: number; hasMoved: boolean; resumeFollowing?: () => void } | null>(null);
  const [isDragging, setIsDragging] = useState(false);
  useEffect(() => () => drag.current?.resumeFollowing?.(), []);
  const end = (event: DragEvent) => {
    if (!drag.current) return;
    const { hasMoved, resumeFollowing } = drag.current;
    resumeFollowing?.();
    drag.current = null;
    setIsDragging(false);
    onEnd?.(event, event.type !== "pointerup" ? "canceled" : hasMoved ? "dragged" : "clicked");
  };
  return {
    /** True while the button is down. The element must stay mounted meanwhile, so that it receives the release. */
    isDragging,
    handlers: {
      onPointerDown(event: DragEvent) {
        const start = event.button === 0 ? onStart(event) : null;
        if (start === null) return;
        // A second finger takes over the drag of the first one.
        drag.current?.resumeFollowing?.();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { start, x: event.clientX, hasMoved: startsAtOnce, ...(!followsPlayback && { resumeFollowing: viewport.suspendFollowing() }) };
        setIsDragging(true);
      },
      onPointerMove(event: DragEvent) {
        if (!drag.current) return;
        drag.current.hasMoved ||= Math.abs(event.clientX - drag.current.x) > CLICK_TOLERANCE_PX;
        if (drag.current.hasMoved) onMove(event, drag.current.start);
      },
      onPointerUp: end,
      onPointerCancel: end,
      onLostPointerCapture: end,
    },
  };
}
