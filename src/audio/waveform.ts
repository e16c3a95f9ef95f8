/** The waveform of a whole sound through wavesurfer: drawn from the service's samples, never by decoding the file. */
import WaveSurfer from "wavesurfer.js";
import type { Deck } from "./deck.ts";
import { DeckMedia } from "./deck-media.ts";
import { extremesAt, type Peaks } from "./peaks.ts";

export interface WaveformLook {
  wave: string;
  played: string;
  cursor: string;
  /** CSS pixels. */
  height: number;
}

/** With this height wavesurfer's own style sheet is the one that the service's policy knows. */
const FIRST_HEIGHT = 128;

/** True minimum and maximum per column of the screen; full scale fills the height, so a quiet sound looks quiet. */
function draw([highs, lows]: (Float32Array | number[])[], context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  const middle = height / 2;
  context.beginPath();
  for (let column = 0; column < width; column++) {
    const [low, high] = extremesAt(lows ?? [], highs ?? [], column, width);
    const top = Math.round(middle - high * middle);
    // Silence is a line, not nothing.
    context.rect(column, top, 1, Math.max(1, Math.round(middle - low * middle) - top));
  }
  context.fill();
}

export interface Waveform {
  setPeaks(peaks: Peaks): void;
  setLook(look: WaveformLook): void;
  destroy(): void;
}

/** An empty waveform: what it draws and how comes with `setPeaks` and `setLook`. */
export function createWaveform(container: HTMLElement, deck: Deck): Waveform {
  const media = new DeckMedia(deck);
  const colors = ({ wave, played, cursor, height }: WaveformLook) => ({ waveColor: wave, progressColor: played, cursorColor: cursor, height });
  const surfer = WaveSurfer.create({
    container,
    // It uses the part of a media element that DeckMedia has.
    media: media as unknown as HTMLMediaElement,
    height: FIRST_HEIGHT,
    cursorWidth: 2,
    dragToSeek: { debounceTime: 0 },
    hideScrollbar: true,
    renderFunction: draw,
  });
  const showPosition = () => surfer.getDuration() > 0 && surfer.getRenderer().renderProgress(deck.state().position / surfer.getDuration());
  surfer.on("redraw", showPosition);
  return {
    setPeaks: (next) => void surfer.load("", [next.highs, next.lows], deck.duration).catch(() => {}),
    setLook: (next) => surfer.setOptions(colors(next)),
    destroy() {
      media.release();
      surfer.destroy();
    },
  };
}
