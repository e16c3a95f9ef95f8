/** Adapts a track controller to the media element that wavesurfer expects; it forwards state and commands and never loads data. */
import type { TrackController } from "./deck.ts";

export class TrackControllerMedia extends EventTarget {
  readonly #deck: TrackController;
  readonly #stop: () => void;
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
    this.#deck = trackController;
    let lastState = trackController.state();
    this.#stop = trackController.subscribe(() => {
      const current = trackController.state();
      const previous = lastState;
      lastState = current;
      if (current.playing !== previous.playing) this.dispatchEvent(new Event(current.playing ? "play" : "pause"));
      if (current.position !== previous.position) this.dispatchEvent(new Event("timeupdate"));
    });
  }

  get currentTime(): number {
    return this.#deck.state().position;
  }
  set currentTime(seconds: number) {
    this.#deck.seek(seconds);
  }
  get duration(): number {
    return this.#deck.duration;
  }
  get paused(): boolean {
    return !this.#deck.state().playing;
  }
  get ended(): boolean {
    return this.paused && this.#deck.duration > 0 && this.currentTime >= this.#deck.duration;
  }
  play(): Promise<void> {
    this.#deck.play();
    return Promise.resolve();
  }
  pause(): void {
    this.#deck.pause();
  }
  canPlayType(): "" {
    return "";
  }
  removeAttribute(): void {}
  load(): void {}
  /** Stops following the controller. */
  release(): void {
    this.#stop();
  }
}
