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
/** CSS pixels from one bar to the next, and of a bar. */
const PITCH = 4;
const BAR = 2;

/** Bars from the true minimum to the true maximum under each; full scale fills the height, so a quiet sound looks quiet. */
function draw([highs, lows]: (Float32Array | number[])[], context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  const ratio = globalThis.devicePixelRatio || 1;
  const middle = height / 2;
  const bars = Math.max(1, Math.floor(width / (PITCH * ratio)));
  const bar = Math.max(1, Math.round(BAR * ratio));
  context.beginPath();
  for (let index = 0; index < bars; index++) {
    const [low, high] = extremesAt(lows ?? [], highs ?? [], index, bars);
    const top = Math.round(middle - high * middle);
    // Silence is a dot, not nothing.
    const tall = Math.max(bar, Math.round(middle - low * middle) - top);
    context.roundRect(Math.round((index * width) / bars), tall === bar ? Math.round(middle - bar / 2) : top, bar, tall, bar / 2);
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
