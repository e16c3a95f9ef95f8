/** Writes square pictures of one picture, without what the file says besides its pixels, such as where a photograph was taken. */
import { join } from "node:path";
import sharp from "sharp";
import { MediaFailure } from "../failure.ts";
import { squareName, type Job } from "../worker/messages.ts";

/** What browsers show too. */
const TYPES: ReadonlySet<string> = new Set(["png", "jpeg", "gif", "webp", "avif"]);

sharp.cache(false);
sharp.concurrency(1);

/** Writes the middle square in each side length; of an animation the first frame. Throws a `MediaFailure` for what is no picture, damaged or too large. */
export async function writeSquares({ input, outputs, squares }: Job, type: string): Promise<void> {
  if (!squares || !TYPES.has(type)) throw new MediaFailure("not-supported", type);
  const { sides, maxPixels } = squares;
  const options = { limitInputPixels: maxPixels, failOn: "error", pages: 1 } as const;
  try {
    const { width, height } = await sharp(input, options).metadata();
    if (width * height > maxPixels) throw new MediaFailure("too-large-image", `${width} x ${height}`);
    const largest = Math.max(...sides);
    // Decoded once: the smaller ones are made of the largest.
    const square = await sharp(input, options).autoOrient().resize(largest, largest, { fit: "cover" }).png({ compressionLevel: 0 }).toBuffer();
    for (const side of sides)
      await sharp(square)
        .resize(side, side)
        .webp({ quality: 82 })
        .toFile(join(outputs, squareName(side)));
  } catch (error) {
    if (error instanceof MediaFailure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw new MediaFailure("disk-full", code);
    const detail = error instanceof Error ? error.message : String(error);
    throw new MediaFailure(/pixel limit/i.test(detail) ? "too-large-image" : "damaged", detail);
  }
}
