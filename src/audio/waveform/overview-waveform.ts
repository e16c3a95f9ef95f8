/** Draws the waveform of a whole track with wavesurfer from the service's samples, without decoding the file. */
import WaveSurfer from "wavesurfer.js";
import type { TrackController } from "../player/track-controller.ts";
import { extremesAt, type Peaks } from "./peaks.ts";

interface WaveformStyle {
  wave: string;
  played: string;
  playhead: string;
  /** CSS pixels. */
  height: number;
}

/** Only at this height does wavesurfer inject the style sheet whose hash the service's content security policy allows. */
const DEFAULT_HEIGHT = 128;
/** CSS pixels between the starts of two bars, and the width of a bar. */
const BAR_PITCH = 4;
const BAR_WIDTH = 2;

export type Waveform = ReturnType<typeof createOverviewWaveform>;

/** Creates an empty waveform; `setPeaks` and `setStyle` define what it draws. */
export function createOverviewWaveform(container: HTMLElement, trackController: TrackController) {
  const media = new TrackControllerMedia(trackController);
  const waveSurfer = WaveSurfer.create({
    container,
    // `TrackControllerMedia` has the members of a media element that wavesurfer uses.
    media: media as unknown as HTMLMediaElement,
    height: DEFAULT_HEIGHT,
    cursorWidth: 2,
    dragToSeek: { debounceTime: 0 },
    hideScrollbar: true,
    renderFunction: draw,
  });
  const showPosition = () =>
    waveSurfer.getDuration() > 0 && waveSurfer.getRenderer().renderProgress(trackController.state().position / waveSurfer.getDuration());
  waveSurfer.on("redraw", showPosition);
  return {
    setPeaks: (next: Peaks) => void waveSurfer.load("", [next.highs, next.lows], trackController.duration).catch(() => {}),
    setStyle: ({ wave, played, playhead, height }: WaveformStyle) =>
      waveSurfer.setOptions({ waveColor: wave, progressColor: played, cursorColor: playhead, height }),
    destroy() {
      media.release();
      waveSurfer.destroy();
    },
  };
}

/** Draws bars from the true minimum to the true maximum; full scale fills the height, so quiet audio looks quiet. */
function draw([highs, lows]: (Float32Array | number[])[], context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  const ratio = globalThis.devicePixelRatio || 1;
  const middle = height / 2;
  const bars = Math.max(1, Math.floor(width / (BAR_PITCH * ratio)));
  const barWidth = Math.max(1, Math.round(BAR_WIDTH * ratio));
  context.beginPath();
  for (let index = 0; index < bars; index++) {
    const [low, high] = extremesAt(lows ?? [], highs ?? [], index, bars);
    const top = Math.round(middle - high * middle);
    // Silence is drawn as a dot.
    const barHeight = Math.max(barWidth, Math.round(middle - low * middle) - top);
    context.roundRect(Math.round((index * width) / bars), barHeight === barWidth ? Math.round(middle - barWidth / 2) : top, barWidth, barHeight, barWidth / 2);
  }
  context.fill();
}

/** Adapts a track controller to the media element that wavesurfer expects; it forwards state and commands and never loads data. */
export class TrackControllerMedia extends EventTarget {
  readonly #trackController: TrackController;
  readonly #unsubscribe: () => void;
  readonly src = "";
  readonly currentSrc = "";
  readonly error = null;
  readonly seeking = false;
  /** HAVE_ENOUGH_DATA, so that seeking takes effect at once. */
  readonly readyState = 4;
  volume = 1;
  muted = false;
  playbackRate = 1;

  constructor(trackController: TrackController) {
    super();
    this.#trackController = trackController;
    let lastState = trackController.state();
    this.#unsubscribe = trackController.subscribe(() => {
      const current = trackController.state();
      const previous = lastState;
      lastState = current;
      if (current.isPlaying !== previous.isPlaying) this.dispatchEvent(new Event(current.isPlaying ? "play" : "pause"));
      if (current.position !== previous.position) this.dispatchEvent(new Event("timeupdate"));
    });
  }

  get currentTime(): number {
    return this.#trackController.state().position;
  }
  set currentTime(seconds: number) {
    this.#trackController.seek(seconds);
  }
  get duration(): number {
    return this.#trackController.duration;
  }
  get paused(): boolean {
    return !this.#trackController.state().isPlaying;
  }
  get ended(): boolean {
    return this.paused && this.#trackController.duration > 0 && this.currentTime >= this.#trackController.duration;
  }
  play(): Promise<void> {
    this.#trackController.play();
    return Promise.resolve();
  }
  pause(): void {
    this.#trackController.pause();
  }
  canPlayType(): "" {
    return "";
  }
  removeAttribute(): void {}
  load(): void {}
  /** Stops following the controller. */
  release(): void {
    this.#unsubscribe();
  }
}
