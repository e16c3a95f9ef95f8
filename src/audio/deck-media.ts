/** A deck in the form that wavesurfer expects of a media element: it follows and steers, and never loads a byte. */
import type { Deck } from "./deck.ts";

export class DeckMedia extends EventTarget {
  readonly #deck: Deck;
  readonly #stop: () => void;
  readonly src = "";
  readonly currentSrc = "";
  readonly error = null;
  readonly seeking = false;
  /** HAVE_ENOUGH_DATA: seeking takes effect at once. */
  readonly readyState = 4;
  volume = 1;
  muted = false;
  playbackRate = 1;

  constructor(deck: Deck) {
    super();
    this.#deck = deck;
    let before = deck.state();
    this.#stop = deck.subscribe(() => {
      const now = deck.state();
      const was = before;
      before = now;
      if (now.playing !== was.playing) this.dispatchEvent(new Event(now.playing ? "play" : "pause"));
      if (now.position !== was.position) this.dispatchEvent(new Event("timeupdate"));
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
  /** Follows no more. */
  release(): void {
    this.#stop();
  }
}
