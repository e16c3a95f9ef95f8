import { useRef, type PointerEvent } from "react";
import { dropIndex, type DragState } from "../model/order.ts";

interface Input {
  count: number;
  /** Receives the state during a drag; null afterward. */
  onDragChange(dragState: DragState | null): void;
  onDrop(id: number, to: number): void;
}

/** Drags rows of equal height by a handle with mouse, pen or touch; Escape cancels. Returns a function that creates a handle's listeners. */
export function useRowDrag({ count, onDragChange, onDrop }: Input) {
  const drag = useRef<{ dragState: DragState; startY: number; stop(): void } | null>(null);
  function endDrag(shouldDrop: boolean) {
    if (!drag.current) return;
    const { dragState, stop } = drag.current;
    drag.current = null;
    stop();
    onDragChange(null);
    if (shouldDrop && dragState.to !== dragState.from) onDrop(dragState.id, dragState.to);
  }
  return (id: number, from: number) => ({
    onPointerDown({ button, clientY: startY, pointerId, currentTarget: handle }: PointerEvent<HTMLButtonElement>) {
      if (button !== 0 || drag.current) return;
      handle.setPointerCapture(pointerId);
      const onEscape = (event: KeyboardEvent) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        endDrag(false);
      };
      document.addEventListener("keydown", onEscape, true);
      const height = handle.closest("li")?.offsetHeight ?? 0;
      drag.current = { dragState: { id, from, to: from, offset: 0, height }, startY, stop: () => document.removeEventListener("keydown", onEscape, true) };
    },
    onPointerMove({ clientY }: PointerEvent) {
      if (drag.current?.dragState.id !== id) return;
      const offset = clientY - drag.current.startY;
      const { dragState } = drag.current;
      drag.current.dragState = { ...dragState, offset, to: dropIndex(dragState.from, offset, dragState.height, count) };
      onDragChange(drag.current.dragState);
    },
    onPointerUp: () => endDrag(true),
    onPointerCancel: () => endDrag(false),
  });
}
