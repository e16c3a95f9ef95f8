/** Detects tempo and key of one track from mono audio. */
import type { Block } from "../engine/samples.ts";
import { CHROMA_RATE, ChromaSink } from "./chroma.ts";
import { findKey, type Key } from "./key.ts";
import { ONSET_RATE, OnsetSink } from "./onset.ts";
import { findTempo, type Tempo } from "./tempo.ts";

export interface Music {
  tempo: Tempo;
  key: Key;
}

export class MusicSink {
  readonly #onsets = new OnsetSink();
  readonly #chroma = new ChromaSink();

  /** Mono sinks for the decoding pass, which resamples to these rates. */
  readonly sinks = [
    { rate: ONSET_RATE, push: ({ channels, length }: Block): void => (length > 0 ? this.#onsets.push(channels[0]!, length) : undefined) },
    { rate: CHROMA_RATE, push: ({ channels, length }: Block): void => (length > 0 ? this.#chroma.push(channels[0]!, length) : undefined) },
  ];

  finish(): Music {
    return { tempo: findTempo(this.#onsets.finish()), key: findKey(this.#chroma.frames) };
  }
}
