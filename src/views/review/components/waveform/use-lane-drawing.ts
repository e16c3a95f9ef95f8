import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useTheme } from "../../../../ui/theme.ts";
import { noteLaneWidth } from "../../model/lane-width.ts";
import { drawLane, type Drawn } from "./lane-drawing.ts";

/** Draws the lane on a canvas that is as wide as what it stands in. */
export function useLaneDrawing(canvas: RefObject<HTMLCanvasElement | null>, { deck, lane, samples, tempo, channels, height }: Drawn): void {
  const theme = useTheme();
  const drawing = useRef<ReturnType<typeof drawLane>>(null);

  // Before the drawing, whose first picture needs the width.
  useLayoutEffect(() => {
    const field = canvas.current!.parentElement!;
    const measure = () => {
      noteLaneWidth(field.clientWidth);
      lane.layOut(field.clientWidth);
      drawing.current?.renew();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(field);
    // Another screen, or the browser's zoom: the same CSS pixels are other points.
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, [canvas, lane]);

  useLayoutEffect(() => {
    const now = drawLane(canvas.current!, { deck, lane, samples, tempo, channels, height });
    drawing.current = now;
    return () => {
      drawing.current = null;
      now.end();
    };
  }, [canvas, deck, lane, samples, tempo, channels, height]);

  useEffect(() => drawing.current?.renew(), [theme]);
}
