import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { useClient } from "../../../client/client.ts";
import { parseJson } from "../../../lib/parse-json.ts";
import { t } from "../../../lib/texts/files.ts";
import { clampWidth, type ColumnWidths, MAX_COLUMN_WIDTH_PX } from "./columns.ts";

const STORAGE_NAME = "column-widths";
/** CSS pixels per press of an arrow key. */
const STEP_PX = 16;

function parseWidths(text: string | null): ColumnWidths {
  const widths: unknown = parseJson(text ?? "");
  if (typeof widths !== "object" || widths === null) return {};
  return Object.fromEntries(Object.entries(widths).filter((pair): pair is [string, number] => Number.isFinite(pair[1])));
}

/** Returns the widths that the person has set, which this browser stores, and their setter; null resets a column. */
export function useColumnWidths() {
  const { serviceStorage: storage } = useClient();
  const [widths, setWidths] = useState(() => parseWidths(storage.get(STORAGE_NAME)));
  function setWidth(key: string, widthPx: number | null): void {
    const { [key]: _previous, ...others } = widths;
    const next = widthPx === null ? others : { ...others, [key]: clampWidth(key, widthPx) };
    setWidths(next);
    storage.set(STORAGE_NAME, Object.keys(next).length === 0 ? null : JSON.stringify(next));
  }
  return [widths, setWidth] as const;
}

interface Props {
  /** The column's title. */
  label: string;
  widthPx: number;
  minWidthPx: number;
  tabIndex: 0 | -1;
  /** The edge of the column that moves: columns beside a flexible name grow to the left, in a list that scrolls sideways to the right. */
  edge: "start" | "end";
  /** null resets the width. */
  onResize(widthPx: number | null): void;
}

/** Resizes a column by dragging its edge, or with the arrow keys; a double click or Delete resets it. */
export function ColumnResizer({ label, widthPx, minWidthPx, tabIndex, edge, onResize }: Props) {
  const drag = useRef<{ x: number; widthPx: number } | null>(null);
  const sign = edge === "start" ? -1 : 1;
  function onPointerDown({ currentTarget, clientX, pointerId, button }: PointerEvent<HTMLElement>) {
    if (button !== 0) return;
    currentTarget.setPointerCapture(pointerId);
    drag.current = { x: clientX, widthPx };
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") onResize(widthPx - sign * STEP_PX);
    else if (event.key === "ArrowRight") onResize(widthPx + sign * STEP_PX);
    else if (event.key === "Delete" || event.key === "Backspace") onResize(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can have the focus is a control
    <span
      role="separator"
      tabIndex={tabIndex}
      aria-orientation="vertical"
      aria-label={t("resizeColumn", { column: label })}
      aria-valuenow={widthPx}
      aria-valuemin={minWidthPx}
      aria-valuemax={MAX_COLUMN_WIDTH_PX}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => drag.current && onResize(drag.current.widthPx + sign * (clientX - drag.current.x))}
      onPointerUp={() => void (drag.current = null)}
      onPointerCancel={() => void (drag.current = null)}
      onDoubleClick={() => onResize(null)}
      onKeyDown={onKeyDown}
      className={`absolute inset-y-0 z-1 flex w-3 cursor-col-resize touch-none justify-center after:my-2 after:w-px after:bg-line hover:after:w-0.5 hover:after:bg-accent focus-visible:outline-offset-[-2px] active:after:w-0.5 active:after:bg-accent ${edge === "start" ? "-left-1.5" : "-right-1.5"}`}
    />
  );
}
