import { GripVertical } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, useState } from "react";
import { classNames } from "../lib/class-names.ts";
import { type DragState, indexForKey, rowOffset, useRowDrag } from "./use-row-drag.ts";

interface ReorderOptions {
  count: number;
  /** Returns the row's index now, where key presses outpace rendering. */
  indexOf?(id: number): number;
  /** Called only for a row that changes its place. */
  onMove(id: number, to: number): void;
}

export type Reorder = ReturnType<typeof useReorder>;

/** Lets people reorder rows of equal height: a drag of the row's handle, or arrow keys, Home and End on it, move the row. */
export function useReorder({ count, indexOf, onMove }: ReorderOptions) {
  const [dragState, setDragState] = useState<DragState | null>(null);
  const handleProps = useRowDrag({ count, onDragChange: setDragState, onDrop: onMove });
  function onKeyDown(event: KeyboardEvent, id: number, index: number) {
    const from = indexOf?.(id) ?? index;
    const to = event.altKey || event.ctrlKey || event.metaKey ? null : indexForKey(event.key, from, count);
    if (to === null) return;
    event.preventDefault();
    if (to !== from) onMove(id, to);
  }
  return { dragState, handleProps, onKeyDown };
}

interface ReorderableRowProps extends Omit<ComponentProps<"li">, "id"> {
  reorder: Reorder;
  id: number;
  index: number;
  /** Names the row and its place; null leaves out the handle. */
  handleLabel: string | null;
}

/** A row of a list whose order people change by the handle at its start. */
export function ReorderableRow({ reorder: { dragState, handleProps, onKeyDown }, id, index, handleLabel, className, children, ...rest }: ReorderableRowProps) {
  const isDragged = dragState?.id === id;
  return (
    <li
      {...rest}
      className={classNames("flex", className, dragState && (isDragged ? "relative z-1 bg-raised shadow-float" : "transition-transform"))}
      style={dragState ? { transform: `translateY(${isDragged ? dragState.offset : rowOffset(index, dragState)}px)` } : undefined}
    >
      {handleLabel !== null && (
        <button
          type="button"
          aria-label={handleLabel}
          data-tooltip={handleLabel}
          {...handleProps(id, index)}
          onKeyDown={(event) => onKeyDown(event, id, index)}
          className="-ml-2 flex size-8 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-text-2 hover:bg-hover active:cursor-grabbing"
        >
          <GripVertical size={16} aria-hidden />
        </button>
      )}
      {children}
    </li>
  );
}
