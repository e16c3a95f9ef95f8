/** Keeps a canvas as lane and deck are: drawn once per picture when something has changed, with what is in sight fetched. */
import type { TrackController } from "../../../../audio/deck.ts";
import { createPainter, computeGrid, type DetailWaveformColors } from "../../../../audio/lane-painter.ts";
import { selectLevel, pointRange } from "../../../../audio/peak-columns.ts";
import type { WaveformViewport } from "../../model/lane.ts";
import { computeGridLines, type Tempo } from "../../model/ticks.ts";
import { colorOf } from "./colors.ts";
import type { Samples } from "./use-samples.ts";

export interface DrawingOptions {
  trackController: TrackController;
  waveformViewport: WaveformViewport;
  samples: Samples;
  tempo: Tempo | null;
  /** Drawn below each other; 1: all in one. */
  channels: number;
  /** CSS pixels. */
  height: number;
}

/** While a hand zooms the levels pass by: what is in sight is asked for when it has settled for so long. */
const SETTLE_MS = 50;

const readColors = (): DetailWaveformColors => ({
  wave: colorOf("--wave"),
  played: colorOf("--wave-played"),
  cursor: colorOf("--text"),
  gridLine: colorOf("--line"),
  strongGridLine: colorOf("--line-strong"),
});

export function drawDetailWaveform(
  canvas: HTMLCanvasElement,
  { trackController, waveformViewport, samples: { tiles, peaks, onChange }, tempo, channels, height }: DrawingOptions,
) {
  const paint = createPainter(canvas);
  const rows = channels > 1 ? Array.from({ length: channels }, (_, channel) => channel) : [null];
  const getPixelRatio = () => devicePixelRatio || 1;
  let colors: DetailWaveformColors | null = null;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw() {
    frame = 0;
    const { from, to, width } = waveformViewport.view();
    const pixelRatio = getPixelRatio();
    const [pixelWidth, pixelHeight] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
    if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
      [canvas.width, canvas.height] = [pixelWidth, pixelHeight];
      // A point of the canvas is a point of the screen, also where the field's width is no whole number.
      canvas.style.width = `${width}px`;
    }
    colors ??= readColors();
    const { duration } = trackController;
    const gridLines = tempo ? computeGridLines(waveformViewport.view(), duration, tempo) : [];
    paint({ from, to, duration, position: trackController.state().position, channels: rows, gridLines, tiles, fallback: peaks }, colors, pixelRatio);
  }
  /** With half a view on both sides, so that what comes is there. */
  function requestTiles() {
    timer = undefined;
    const { from, to, width } = waveformViewport.view();
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
    timer ??= setTimeout(requestTiles, SETTLE_MS);
  };
  /** The player tells its position once per picture, before it is shown: drawn then, the cursor is where the sound is, not where it was. */
  let isDrawQueued = false;
  const onPlayback = () => {
    if (!trackController.state().playing) return scheduleDraw();
    if (isDrawQueued) return;
    isDrawQueued = true;
    // After everybody was told, the lane too.
    queueMicrotask(() => {
      isDrawQueued = false;
      if (isDisposed) return;
      cancelAnimationFrame(frame);
      draw();
    });
  };
  let isDisposed = false;
  const unsubscribers = [waveformViewport.subscribe(invalidate), trackController.subscribe(onPlayback), onChange(invalidate)];
  // The first picture is the one that the layout is shown with.
  draw();
  requestTiles();
  return {
    /** Colors or density are others now. */
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
