/** Keeps a canvas as lane and deck are: drawn once per picture when something has changed, with what is in sight fetched. */
import type { Deck } from "../../../../audio/deck.ts";
import { createPainter, gridOf, type LaneLook } from "../../../../audio/lane-painter.ts";
import { levelOf, pointsUnder } from "../../../../audio/peak-columns.ts";
import type { Lane } from "../../model/lane.ts";
import { gridIn, type Tempo } from "../../model/ticks.ts";
import { colorOf } from "./colors.ts";
import type { Samples } from "./use-samples.ts";

export interface Drawn {
  deck: Deck;
  lane: Lane;
  samples: Samples;
  tempo: Tempo | null;
  /** Drawn below each other; 1: all in one. */
  channels: number;
  /** CSS pixels. */
  height: number;
}

/** While a hand zooms the levels pass by: what is in sight is asked for when it has settled for so long. */
const SETTLED_MS = 50;

const lookNow = (): LaneLook => ({
  wave: colorOf("--wave"),
  played: colorOf("--wave-played"),
  cursor: colorOf("--text"),
  line: colorOf("--line"),
  strongLine: colorOf("--line-strong"),
});

export function drawLane(canvas: HTMLCanvasElement, { deck, lane, samples: { tiles, whole, onNews }, tempo, channels, height }: Drawn) {
  const paint = createPainter(canvas);
  const rows = channels > 1 ? Array.from({ length: channels }, (_, channel) => channel) : [null];
  const ratioNow = () => devicePixelRatio || 1;
  let look: LaneLook | null = null;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw() {
    frame = 0;
    const { from, to, width } = lane.view();
    const ratio = ratioNow();
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== wide || canvas.height !== high) {
      [canvas.width, canvas.height] = [wide, high];
      // A point of the canvas is a point of the screen, also where the field's width is no whole number.
      canvas.style.width = `${width}px`;
    }
    look ??= lookNow();
    const { duration } = deck;
    const lines = tempo ? gridIn(lane.view(), duration, tempo) : [];
    paint({ from, to, duration, position: deck.state().position, channels: rows, lines, tiles, whole }, look, ratio);
  }
  /** With half a view on both sides, so that what comes is there. */
  function want() {
    timer = undefined;
    const { from, to, width } = lane.view();
    if (!tiles || !(to > from) || width === 0) return;
    const grid = gridOf(from, to, Math.round(width * ratioNow()));
    const level = levelOf(tiles.pyramid, grid.step);
    const [first, last] = pointsUnder(tiles.pyramid, level, grid);
    const room = (last - first) / 2;
    tiles.want(level, first - room, last + room);
  }
  const drawSoon = () => {
    frame ||= requestAnimationFrame(draw);
  };
  const changed = () => {
    drawSoon();
    timer ??= setTimeout(want, SETTLED_MS);
  };
  /** The player tells its position once per picture, before it is shown: drawn then, the cursor is where the sound is, not where it was. */
  let heard = false;
  const moved = () => {
    if (!deck.state().playing) return drawSoon();
    if (heard) return;
    heard = true;
    // After everybody was told, the lane too.
    queueMicrotask(() => {
      heard = false;
      if (ended) return;
      cancelAnimationFrame(frame);
      draw();
    });
  };
  let ended = false;
  const stops = [lane.subscribe(changed), deck.subscribe(moved), onNews(changed)];
  // The first picture is the one that the layout is shown with.
  draw();
  want();
  return {
    /** Colors or density are others now. */
    renew() {
      look = null;
      changed();
    },
    end() {
      ended = true;
      for (const stop of stops) stop();
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    },
  };
}
