/** The process that decodes audio, and computes peaks of it. */
import { AudioWriter } from "../../server/media/engine/audio-writer.ts";
import { decodeStream } from "../../server/media/engine/decode.ts";
import { openInput } from "../../server/media/engine/open.ts";
import { analyze } from "../../server/media/analyze.ts";
import { runStepsInProcess } from "../../server/media/testing/in-process.ts";
import { createRandom } from "../data/generated-chat.ts";
import { provide } from "../lib/helper.ts";

const RATE = 44_100;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
};

const calls = {
  /** Writes music-like audio: decaying noise bursts and tones, neither silence nor white noise. */
  write({ path, seconds: length, format, codec, bitRate }: { path: string; seconds: number; format: string; codec: string; bitRate?: number }): void {
    const writer = new AudioWriter({ path, format, codec, sampleRate: RATE, channels: 2, ...(bitRate ? { bitRate } : {}) });
    const random = createRandom(1);
    const twoSeconds = [0, 1].map((side) =>
      Float32Array.from({ length: RATE * 2 }, (_, index) => {
        const at = index / RATE;
        const burst = Math.exp(-((at % 0.5) * 14)) * (random() - 0.5);
        return 0.5 * burst + 0.2 * Math.sin(2 * Math.PI * (220 + side * 3) * at) + 0.1 * Math.sin(2 * Math.PI * 1_760 * at);
      }),
    );
    for (let at = 0; at < length; at += 2) writer.write(twoSeconds, RATE * 2);
    writer.finish();
  },
  /** Returns the seconds to decode it to nowhere with the service's decoder. */
  decode: (path: string): Promise<number> =>
    seconds(async () => {
      const input = openInput(path);
      await decodeStream(input, input.audio!, () => {});
      input.close();
    }),
  /** Returns the seconds for all levels of peaks, with decoding. */
  peaks: ({ path, outputs }: { path: string; outputs: string }): Promise<number> => seconds(() => runStepsInProcess(path, outputs, ["probe", "peaks"])),
  /** Returns the seconds of the whole analysis in its own process, as the service runs it. */
  pipeline: ({ path, outputs }: { path: string; outputs: string }): Promise<number> =>
    seconds(() => analyze({ input: path, outputs, request: { steps: ["probe", "peaks", "loudness", "music"] } })),
};

export type MediaCalls = typeof calls;

provide(calls);
