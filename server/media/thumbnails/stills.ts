/** Creates a thumbnail and a contact sheet of stills from a video. */
import { AVSEEK_FLAG_BACKWARD } from "node-av/constants";
import { Frame, Packet } from "node-av/lib";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { isAgain, isEnd } from "../engine/av.ts";
import { openDecoder } from "../engine/decode.ts";
import type { Input } from "../engine/open.ts";
import { fitInside, packedRgb, Scaler } from "../engine/scale.ts";
import type { Thumbnails, VideoFacts } from "../types.ts";
import { THUMBNAIL_BOX } from "./image.ts";

const MAX_STILLS = 25;
const COLUMNS = 5;
const TILE_BOX = { width: 160, height: 120 };
/** Position of the thumbnail as a share of the duration, because the first frame is often black. */
const THUMBNAIL_POSITION = 0.1;
/** Maximum frames decoded after a seek; the frame reached by then is close enough. */
const MAX_FRAMES = 300;

interface DecodedFrame {
  rgb: Buffer;
  width: number;
  height: number;
}

/** Decodes the frame shown at `seconds`. Returns null if there is none. */
function decodeFrameAt(input: Input, seconds: number, box: { width: number; height: number }): DecodedFrame | null {
  const stream = input.video!;
  const { timeBase } = stream;
  const start = stream.startTime > 0n ? stream.startTime : 0n;
  const target = start + BigInt(Math.round((seconds * timeBase.den) / timeBase.num));
  input.format.seekFrameSync(stream.index, target, AVSEEK_FLAG_BACKWARD);
  const decoder = openDecoder(stream);
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  let decodedFrame: DecodedFrame | null = null;
  const captureFrame = (): void => {
    const size = fitInside(frame.width, frame.height, box.width, box.height);
    const scaler = new Scaler(size.width, size.height);
    decodedFrame = { rgb: packedRgb(scaler.scale(frame)), ...size };
    scaler.free();
  };
  try {
    let count = 0;
    for (let done = false; !done;) {
      const readStatus = input.format.readFrameSync(packet);
      const isVideoPacket = readStatus >= 0 && packet.streamIndex === stream.index;
      if (readStatus >= 0 && !isVideoPacket) {
        packet.unref();
        continue;
      }
      if (readStatus < 0 && isAgain(readStatus)) continue;
      decoder.sendPacketSync(readStatus < 0 ? null : packet);
      if (readStatus >= 0) packet.unref();
      for (;;) {
        const status = decoder.receiveFrameSync(frame);
        if (isAgain(status)) break;
        if (status < 0 || isEnd(status)) {
          done ||= readStatus < 0;
          break;
        }
        // Capture the first frame in case the target time is never reached.
        if (frame.bestEffortTimestamp >= target || ++count >= MAX_FRAMES || decodedFrame === null) captureFrame();
        done = frame.bestEffortTimestamp >= target || count >= MAX_FRAMES;
        frame.unref();
        if (done) break;
      }
    }
  } finally {
    frame.free();
    packet.free();
    decoder.freeContext();
  }
  return decodedFrame;
}

const toSharp = (decodedFrame: DecodedFrame, rotation: number): Sharp =>
  sharp(decodedFrame.rgb, { raw: { width: decodedFrame.width, height: decodedFrame.height, channels: 3 } }).rotate(rotation);

export async function makeStills(input: Input, video: VideoFacts, folder: string, onProgress: (share: number) => void): Promise<Thumbnails> {
  const isRotated = video.rotation % 180 !== 0;
  const toCodedSize = ({ width, height }: { width: number; height: number }): { width: number; height: number } =>
    isRotated ? { width: height, height: width } : { width, height };
  const poster = decodeFrameAt(input, video.duration * THUMBNAIL_POSITION, toCodedSize(THUMBNAIL_BOX));
  if (!poster) return { thumbnail: null, stills: null };
  const thumbnail = await toSharp(poster, video.rotation).jpeg({ quality: 80 }).toFile(join(folder, "thumbnail.jpg"));
  const count = Math.max(1, Math.min(MAX_STILLS, Math.floor(video.duration)));
  const intervalSeconds = video.duration / count;
  const tile = fitInside(video.width, video.height, TILE_BOX.width, TILE_BOX.height);
  const tiles: { input: Buffer; left: number; top: number }[] = [];
  for (let n = 0; n < count; n++) {
    const decodedFrame = decodeFrameAt(input, (n + 0.5) * intervalSeconds, toCodedSize(TILE_BOX));
    onProgress((n + 1) / count);
    if (!decodedFrame) continue;
    const tileImage = await toSharp(decodedFrame, video.rotation).resize(tile.width, tile.height, { fit: "fill" }).png().toBuffer();
    tiles.push({ input: tileImage, left: (n % COLUMNS) * tile.width, top: Math.floor(n / COLUMNS) * tile.height });
  }
  const columns = Math.min(COLUMNS, count);
  const rows = Math.ceil(count / COLUMNS);
  const sheet = await sharp({ create: { width: columns * tile.width, height: rows * tile.height, channels: 3, background: "#000" } })
    .composite(tiles)
    .jpeg({ quality: 75 })
    .toFile(join(folder, "stills.jpg"));
  return {
    thumbnail: { file: "thumbnail.jpg", mime: "image/jpeg", width: thumbnail.width, height: thumbnail.height },
    stills: { file: "stills.jpg", mime: "image/jpeg", width: sheet.width, height: sheet.height, columns, rows, count, everySeconds: intervalSeconds },
  };
}
