import { type RefObject, useEffect, useRef } from "react";
import { formatTenths } from "../../../lib/format.ts";

/** Half of the width of the time beside the line, in CSS pixels, so that it stays inside. */
const HALF_LABEL_PX = 26;

interface Props {
  /** The element over which the pointer is followed. The line must be inside an element of the same left edge and width. */
  area: RefObject<HTMLElement | null>;
  /** Returns the time in seconds at CSS pixels from the left edge of an area of this width. */
  secondsAt(x: number, width: number): number;
  duration: number;
}

/** Draws a line with the time under a mouse or pen. It writes to the elements itself, so that moving the pointer renders nothing. */
export function HoverLine({ area, secondsAt, duration }: Props) {
  const line = useRef<HTMLDivElement>(null);
  const label = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = area.current!;
    const controller = new AbortController();
    const { signal } = controller;
    const hide = () => void (line.current!.hidden = true);
    const onMove = ({ clientX, pointerType }: PointerEvent) => {
      const { left, width } = element.getBoundingClientRect();
      const x = clientX - left;
      if (pointerType === "touch" || !(duration > 0) || x < 0 || x > width) return hide();
      line.current!.hidden = false;
      line.current!.style.left = `${x}px`;
      label.current!.textContent = formatTenths(Math.min(duration, Math.max(0, secondsAt(x, width))));
      label.current!.style.left = `${Math.min(Math.max(HALF_LABEL_PX, x), width - HALF_LABEL_PX) - x}px`;
    };
    element.addEventListener("pointermove", onMove, { signal });
    element.addEventListener("pointerleave", hide, { signal });
    return () => controller.abort();
  }, [area, secondsAt, duration]);
  return (
    <div ref={line} hidden aria-hidden data-testid="hover-line" className="pointer-events-none absolute inset-y-0 z-3 w-px bg-text-2">
      <span
        ref={label}
        className="tabular absolute top-0.5 flex h-4.5 w-13 -translate-x-1/2 items-center justify-center rounded-sm bg-text text-xs font-semibold text-bg"
      />
    </div>
  );
}
