import { useRef, type PointerEvent } from "react";
import { placeOf, type Held } from "../model/order.ts";

interface Input {
  count: number;
  /** While it is held; null once it is not. */
  onHeld(held: Held | null): void;
  onDrop(id: number, to: number): void;
}

/** Dragging rows of one height by a handle, with mouse, pen or finger. Escape lets it go where it was. Answers the handle's listeners. */
export function useRowDrag({ count, onHeld, onDrop }: Input) {
  const now = useRef<{ held: Held; y: number; stop(): void } | null>(null);
  function end(isDone: boolean) {
    if (!now.current) return;
    const { held, stop } = now.current;
    now.current = null;
    stop();
    onHeld(null);
    if (isDone && held.to !== held.from) onDrop(held.id, held.to);
  }
  return (id: number, from: number) => ({
    onPointerDown({ button, clientY: y, pointerId, currentTarget: handle }: PointerEvent<HTMLButtonElement>) {
      if (button !== 0 || now.current) return;
      handle.setPointerCapture(pointerId);
      const onEscape = (key: KeyboardEvent) => {
        if (key.key !== "Escape") return;
        key.preventDefault();
        end(false);
      };
      document.addEventListener("keydown", onEscape, true);
      const height = handle.closest("li")?.offsetHeight ?? 0;
      now.current = { held: { id, from, to: from, by: 0, height }, y, stop: () => document.removeEventListener("keydown", onEscape, true) };
    },
    onPointerMove({ clientY }: PointerEvent) {
      if (now.current?.held.id !== id) return;
      const by = clientY - now.current.y;
      const { held } = now.current;
      now.current.held = { ...held, by, to: placeOf(held.from, by, held.height, count) };
      onHeld(now.current.held);
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
  });
}
