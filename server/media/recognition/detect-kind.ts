/** Detects the kind of a complete file from a few of its bytes, before anything decodes it. The later probe decides if it disagrees. */
import { type FileHandle, open } from "node:fs/promises";
import type { MediaKind } from "./kind.ts";
import { recognize } from "./recognize.ts";

/** Boxes looked at in an MP4 at most, so that a file of millions of boxes costs nothing. */
const MAX_BOXES = 500;

/** Containers that are audio unless they name a video track as matched in their head. */
const VIDEO_IN_HEAD: Record<string, RegExp> = {
  ogg: /\x80theora|\x01video\0|OVP80|BBCD\0/,
  /** The id of a video codec, in the track list. */
  matroska: /\x86[\x80-\xff]V_/,
  /** The type of a video stream, in its properties. */
  asf: /\xc0\xef\x19\xbc\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b/,
  /** The flag for video, in the header. */
  flv: /^FLV\x01[\x01\x05]/,
  realmedia: /video\/x-pn/,
};
const VIDEO_TYPES = new Set(["avi", "mpeg", "mpeg-ts", "mpeg4", "h264", "hevc", "dv", "mxf"]);

/** Returns the kind of the file at `path`: `document` if the content is not recognized. Throws if the file cannot be read. */
export async function detectKind(path: string): Promise<MediaKind> {
  const { kind, type, head } = recognize(path);
  if (kind !== "media") return kind;
  if (type === "mp4") return (await hasVideoTrack(path)) ? "video" : "audio";
  return VIDEO_TYPES.has(type) || VIDEO_IN_HEAD[type]?.test(head.toString("latin1")) ? "video" : "audio";
}

/** Returns fewer bytes at the end of the file. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Finds a track with the handler `vide` in an MP4 or QuickTime file, whose index may be at its end (ISO 14496-12). */
async function hasVideoTrack(path: string): Promise<boolean> {
  await using file = await open(path, "r");
  const { size: fileSize } = await file.stat();
  let boxCount = 0;

  /** Walks the boxes between two positions; `types` are those of the boxes to enter, the last one is the handler. */
  async function search(start: number, end: number, types: readonly string[]): Promise<boolean> {
    for (let at = start; at + 8 <= end && boxCount < MAX_BOXES; boxCount += 1) {
      const header = await readAt(file, at, 24);
      if (header.length < 8) return false;
      const type = header.toString("latin1", 4, 8);
      const shortSize = header.readUInt32BE(0);
      const isLong = shortSize === 1 && header.length >= 16;
      const size = isLong ? Number(header.readBigUInt64BE(8)) : shortSize === 0 ? end - at : shortSize;
      const contentStart = at + (isLong ? 16 : 8);
      if (type === types[0]) {
        if (types.length === 1) return header.toString("latin1", 16, 20) === "vide";
        if (await search(contentStart, Math.min(end, at + size), types.slice(1))) return true;
      }
      if (size < 8) return false;
      at += size;
    }
    return false;
  }
  return await search(0, fileSize, ["moov", "trak", "mdia", "hdlr"]);
}
