import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useTheme } from "../../../../ui/theme.ts";
import { setWaveformWidth } from "../../model/lane-width.ts";
import { drawDetailWaveform, type DrawingOptions } from "./lane-drawing.ts";

/** Draws the detail waveform on a canvas as wide as its container. */
export function useDetailWaveform(
  canvas: RefObject<HTMLCanvasElement | null>,
  { trackController, waveformViewport, samples, tempo, channels, height }: DrawingOptions,
): void {
  const theme = useTheme();
  const drawing = useRef<ReturnType<typeof drawDetailWaveform>>(null);

  // Runs before the drawing effect, whose first draw needs the width.
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
    // A move to another screen or a browser zoom changes the pixel density.
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
