import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useStore } from "../../../lib/store.ts";
import { useClient } from "../../../client/client.ts";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import { computeGrid, createWaveformPainter, type DetailWaveformColors, pointRange, selectLevel } from "../../../audio/waveform/waveform-painter.ts";
import { colorOf } from "../../../ui/theme.ts";
import { computeGridLines, type Tempo } from "./ticks.ts";
import type { Samples } from "./use-samples.ts";
import type { ViewportStore } from "./viewport.ts";

/** Milliseconds before tiles are requested, because zooming passes through levels whose tiles would not be needed. */
const TILE_REQUEST_DELAY_MS = 50;

interface DrawingOptions {
  trackController: TrackController;
  viewport: ViewportStore;
  samples: Samples;
  tempo: Tempo | null;
  /** Number of channels drawn below each other; 1 draws them combined. */
  channels: number;
  /** CSS pixels. */
  height: number;
}

/** Draws the detail waveform on a canvas as wide as its container. */
export function useDetailWaveform(
  canvas: RefObject<HTMLCanvasElement | null>,
  { trackController, viewport, samples, tempo, channels, height }: DrawingOptions,
): void {
  const { theme: pageTheme, viewMemory } = useClient();
  const theme = useStore(pageTheme.applied);
  const drawing = useRef<ReturnType<typeof drawDetailWaveform>>(null);

  // Runs before the drawing effect, whose first draw needs the width.
  useLayoutEffect(() => {
    const container = canvas.current!.parentElement!;
    const measure = () => {
      viewMemory.waveformWidth.set(container.clientWidth);
      viewport.setWidth(container.clientWidth);
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
  }, [canvas, viewport, viewMemory]);

  useLayoutEffect(() => {
    const created = drawDetailWaveform(canvas.current!, { trackController, viewport, samples, tempo, channels, height });
    drawing.current = created;
    return () => {
      drawing.current = null;
      created.dispose();
    };
  }, [canvas, trackController, viewport, samples, tempo, channels, height]);

  useEffect(() => drawing.current?.refreshColors(), [theme]);
}

/** Keeps the canvas up to date: redraws at most once per frame after a change and requests the visible tiles. */
function drawDetailWaveform(
  canvas: HTMLCanvasElement,
  { trackController, viewport, samples: { tiles, peaks, onChange }, tempo, channels, height }: DrawingOptions,
) {
  const paint = createWaveformPainter(canvas);
  const rows = channels > 1 ? Array.from({ length: channels }, (_, channel) => channel) : [null];
  const getPixelRatio = () => devicePixelRatio || 1;
  let colors: DetailWaveformColors | null = null;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw() {
    frame = 0;
    const { from, to, width } = viewport.view();
    const pixelRatio = getPixelRatio();
    const [pixelWidth, pixelHeight] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
    if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
      [canvas.width, canvas.height] = [pixelWidth, pixelHeight];
      // Canvas pixels match screen pixels even if the container's width is fractional.
      canvas.style.width = `${width}px`;
    }
    colors ??= readColors();
    const { duration } = trackController;
    const gridLines = tempo ? computeGridLines(viewport.view(), duration, tempo) : [];
    paint({ from, to, duration, position: trackController.state().position, channels: rows, gridLines, tiles, fallback: peaks }, colors, pixelRatio);
  }
  /** Requests tiles for the visible range plus half a view on each side, so that panning finds them loaded. */
  function requestTiles() {
    timer = undefined;
    const { from, to, width } = viewport.view();
    if (!tiles || !(to > from) || width === 0) return;
    const grid = computeGrid(from, to, Math.round(width * getPixelRatio()));
    const level = selectLevel(tiles.pyramid, grid.step);
    const [first, last] = pointRange(tiles.pyramid, level, grid);
    const margin = (last - first) / 2;
    tiles.setVisibleRange(level, first - margin, last + margin);
  }
  const scheduleDraw = () => {
    frame ||= requestAnimationFrame(draw);
  };
  const invalidate = () => {
    scheduleDraw();
    timer ??= setTimeout(requestTiles, TILE_REQUEST_DELAY_MS);
  };
  /** The player reports its position once per frame before paint. Drawing within the same frame keeps the playhead at the current position. */
  let isDrawQueued = false;
  const onPlayback = () => {
    if (!trackController.state().isPlaying) return scheduleDraw();
    if (isDrawQueued) return;
    isDrawQueued = true;
    // Draws after all subscribers have run, including the viewport store.
    queueMicrotask(() => {
      isDrawQueued = false;
      if (isDisposed) return;
      cancelAnimationFrame(frame);
      draw();
    });
  };
  let isDisposed = false;
  const unsubscribers = [viewport.subscribe(invalidate), trackController.subscribe(onPlayback), onChange(invalidate)];
  // Draws synchronously, so that the first paint shows the waveform.
  draw();
  requestTiles();
  return {
    /** Reads the colors again and redraws after a theme or pixel density change. */
    refreshColors() {
      colors = null;
      invalidate();
    },
    dispose() {
      isDisposed = true;
      for (const unsubscribe of unsubscribers) unsubscribe();
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    },
  };
}

const readColors = (): DetailWaveformColors => ({
  wave: colorOf("--wave"),
  played: colorOf("--wave-played"),
  playhead: colorOf("--text"),
  gridLine: colorOf("--line"),
  strongGridLine: colorOf("--line-strong"),
});
