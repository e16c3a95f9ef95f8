/** Creates the thumbnail of the cover picture embedded in an audio file. A picture that cannot be opened safely counts as none, because the audio is valid. */
import { Packet, type Stream } from "node-av/lib";
import { join } from "node:path";
import { type Input, isCover } from "../engine/open.ts";
import { matchSignature } from "../recognition/signatures.ts";
import type { ImageFile } from "../types.ts";
import { writeCover } from "./image.ts";

/** 30 MB: no encoder writes a larger cover, and one can be as large as the file. */
const MAX_BYTES = 30_000_000;
/** Formats whose decoders are bounded by the size of the picture; vector and camera formats are left out. */
const FORMATS = new Set(["jpeg", "png", "webp", "gif"]);
/** Pictures tried before the file counts as one without a cover. */
const MAX_PICTURES = 5;
/** Packets read to find the pictures. */
const MAX_PACKETS = 200;

/** FFmpeg stores the picture type (ID3v2.4, section 4.14) as the stream's comment. */
const FRONT_COVER = "Cover (front)";
const ICONS = /file icon/i;

/** Lower is better: the front cover, then pictures without a type or of another type, then icons. */
function rank(stream: Stream): number {
  const type = stream.metadata?.get("comment") ?? "";
  return type === FRONT_COVER ? 0 : ICONS.test(type) ? 2 : 1;
}

/** Returns the indexes of the streams with a picture, best first. */
const rankStreams = (streams: readonly Stream[]): number[] =>
  streams
    .filter(isCover)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_PICTURES)
    .map(({ index }) => index);

/** Returns the pictures that may be decoded, by stream. The engine returns them before the first packet of the sound. */
function readPictures({ format }: Input, wanted: ReadonlySet<number>): Map<number, Buffer> {
  const pictures = new Map<number, Buffer>();
  const packet = new Packet();
  packet.alloc();
  try {
    const missing = new Set(wanted);
    for (let count = 0; missing.size > 0 && count < MAX_PACKETS && format.readFrameSync(packet) >= 0; count++) {
      if (missing.delete(packet.streamIndex) && packet.size <= MAX_BYTES && isAllowed(packet.data)) pictures.set(packet.streamIndex, Buffer.from(packet.data!));
      packet.unref();
    }
  } finally {
    packet.free();
  }
  return pictures;
}

function isAllowed(picture: Buffer | null): boolean {
  if (!picture) return false;
  const content = matchSignature(picture.subarray(0, 64));
  return content?.kind === "image" && FORMATS.has(content.type);
}

/** Writes `thumbnail.webp` into the folder. Returns null if the file has no picture that can be shown. `input` was not read from yet. */
export async function createCoverThumbnail(input: Input, folder: string): Promise<ImageFile | null> {
  const streams = rankStreams(input.format.streams);
  const pictures = readPictures(input, new Set(streams));
  for (const index of streams) {
    const picture = pictures.get(index);
    const cover = picture ? await writeCover(picture, join(folder, "thumbnail.webp")) : null;
    if (cover) return { file: "thumbnail.webp", mime: "image/webp", ...cover };
  }
  return null;
}
