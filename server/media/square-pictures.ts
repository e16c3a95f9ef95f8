/** Makes square pictures of an uploaded one in the media process, as pictures from strangers are decoded nowhere else. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { squareName } from "./worker/messages.ts";
import type { MediaSandbox } from "./worker/sandbox.ts";
import { supervise } from "./worker/supervise.ts";

export interface SquaresInput {
  input: string;
  /** Existing folder used by this job only. */
  outputs: string;
  /** Side lengths in pixels. */
  sides: readonly number[];
  /** A picture with more pixels is refused with the code `too-large-image`. */
  maxPixels: number;
}

/** Writes the middle square of the picture as WebP in each side length. Returns the files by side length; rejects with a `MediaFailure`. */
export type SquarePictures = (input: SquaresInput) => Promise<Record<number, { name: string; bytes: number }>>;

/** A picture takes about a second, and its person waits for it. */
const LIMITS = { stallTimeoutMs: 20_000, wallTimeoutMs: 20_000, outputBytes: 10_000_000 };

/** `sandbox`: isolates the process, once it is known whether the system can. */
export const createSquarePictures =
  (sandbox: Promise<MediaSandbox | null>): SquarePictures =>
  async ({ input, outputs, sides, maxPixels }) => {
    const job = { input, outputs, request: { steps: [] }, squares: { sides, maxPixels } };
    await supervise(job, { limits: LIMITS, sandbox: await sandbox, onMessage: () => {} });
    const files = sides.map(async (side) => {
      const name = squareName(side);
      return [side, { name, bytes: (await lstat(join(outputs, name))).size }] as const;
    });
    return Object.fromEntries(await Promise.all(files));
  };
