import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useTheme } from "../../../../ui/theme.ts";
import { setWaveformWidth } from "../../model/lane-width.ts";
import { drawDetailWaveform, type DrawingOptions } from "./lane-drawing.ts";

/** Draws the lane on a canvas that is as wide as what it stands in. */
export function useDetailWaveform(
  canvas: RefObject<HTMLCanvasElement | null>,
  { trackController, waveformViewport, samples, tempo, channels, height }: DrawingOptions,
): void {
  const theme = useTheme();
  const drawing = useRef<ReturnType<typeof drawDetailWaveform>>(null);

  // Before the drawing, whose first picture needs the width.
  useLayoutEffect(() => {
    const container = canvas.current!.parentElement!;
    const measure = () => {
      setWaveformWidth(container.clientWidth);
      waveformViewport.setWidth(container.clientWidth);
      drawing.current?.refreshColors();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(container);
    // Another screen, or the browser's zoom: the same CSS pixels are other points.
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, [canvas, waveformViewport]);

  useLayoutEffect(() => {
    const created = drawDetailWaveform(canvas.current!, { trackController, waveformViewport, samples, tempo, channels, height });
    drawing.current = created;
    return () => {
      drawing.current = null;
      created.dispose();
    };
  }, [canvas, trackController, waveformViewport, samples, tempo, channels, height]);

  useEffect(() => drawing.current?.refreshColors(), [theme]);
}
