import { type PointerEvent, useRef } from "react";

/** A dragged row, `offset` pixels from its position and over index `to`. */
export interface DragState {
  id: number;
  from: number;
  to: number;
  offset: number;
  /** Height of one row in pixels. */
  height: number;
}

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

/** Returns the list with the item at `from` moved to `to`, clamped to the list's ends. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [item] = next.splice(from, 1);
  if (item === undefined) return next;
  next.splice(Math.max(0, Math.min(to, next.length)), 0, item);
  return next;
}

/** Returns the drop index of an item dragged `pixels` down from `from`, among rows of equal height. */
export function dropIndex(from: number, pixels: number, rowHeight: number, count: number): number {
  const to = from + (rowHeight > 0 ? Math.round(pixels / rowHeight) : 0);
  return Math.max(0, Math.min(count - 1, to));
}

/** Returns the target index for a key; null for other keys. */
export function indexForKey(key: string, from: number, count: number): number | null {
  const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}

/** Returns by how many pixels the row at `index` shifts to make space for the dragged one. */
export function rowOffset(index: number, { from, to, height }: DragState): number {
  if (index > from && index <= to) return -height;
  return index < from && index >= to ? height : 0;
}
