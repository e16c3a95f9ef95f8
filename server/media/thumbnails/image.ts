/** Reads facts and creates the thumbnail of an image, limiting the memory that its header can make the library allocate. */
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { MediaFailure } from "../failure.ts";
import type { ImageFacts, ImageFile } from "../types.ts";

/** 150 megapixels, the size of the largest cameras. */
const MAX_PIXELS = 150_000_000;
export const THUMBNAIL_BOX = { width: 640, height: 640 };
/** Side of a cover's square. One size serves rows, tiles, the player and the system's media controls (decision 041). */
const COVER_SIDE = 320;
/** 40 megapixels: a cover is shown small, and its file is processed for its sound. */
const MAX_COVER_PIXELS = 40_000_000;
/** Formats the image library cannot read. Such a file still counts as an image, without a thumbnail. */
const UNREADABLE_TYPES = new Set(["bmp", "jxl", "heif"]);

// The process ends with the file, so caching is useless. A single thread leaves a core to the service.
sharp.cache(false);
sharp.concurrency(1);

const openImage = (path: string): Sharp => sharp(path, { limitInputPixels: MAX_PIXELS, failOn: "error", sequentialRead: true, pages: 1 });

function toMediaFailure(error: unknown, type: string): MediaFailure {
  const detail = error instanceof Error ? error.message : String(error);
  if (/pixel limit/i.test(detail)) return new MediaFailure("too-large-image", detail);
  if (UNREADABLE_TYPES.has(type) || /unsupported image format|no known saver|not built|compression format/i.test(detail))
    return new MediaFailure("not-supported", detail);
  return new MediaFailure("damaged", detail, "The image is damaged and could not be opened.");
}

/** Returns null for a format without a reader. Width and height are as displayed (EXIF orientation applied). */
export async function readImageFacts(path: string, type: string): Promise<ImageFacts | null> {
  if (UNREADABLE_TYPES.has(type)) return null;
  try {
    const { format, width, height, pages = 1, orientation = 1 } = await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: "error" }).metadata();
    // Reading only the header does not trigger the library's own limit.
    if (width * height > MAX_PIXELS)
      throw new MediaFailure("too-large-image", `${width} x ${height}`, `The image has ${width} x ${height} pixels, which is too many to be opened safely.`);
    const isRotated = orientation >= 5;
    return { format, width: isRotated ? height : width, height: isRotated ? width : height, pages };
  } catch (error) {
    if (error instanceof MediaFailure) throw error;
    throw toMediaFailure(error, type);
  }
}

export async function createImageThumbnail(path: string, type: string, folder: string): Promise<ImageFile> {
  try {
    const { width, height } = await openImage(path)
      .rotate()
      .resize({ ...THUMBNAIL_BOX, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80 })
      .toFile(join(folder, "thumbnail.webp"));
    return { file: "thumbnail.webp", mime: "image/webp", width, height };
  } catch (error) {
    throw toMediaFailure(error, type);
  }
}

/** Crops the picture to a square. Returns null if it is damaged or too large to be opened safely. */
export async function writeCover(picture: Buffer, path: string): Promise<{ width: number; height: number } | null> {
  try {
    const { width, height } = await sharp(picture, { limitInputPixels: MAX_COVER_PIXELS, failOn: "error", sequentialRead: true, pages: 1 })
      .rotate()
      .resize({ width: COVER_SIDE, height: COVER_SIDE, fit: "cover" })
      .webp({ quality: 80 })
      .toFile(path);
    return { width, height };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw error;
    return null;
  }
}
