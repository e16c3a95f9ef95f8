/** Stills of a video on one contact sheet, and a thumbnail. */
import { join } from "node:path";
import { AVSEEK_FLAG_BACKWARD } from "node-av/constants";
import { Frame, Packet } from "node-av/lib";
import sharp, { type Sharp } from "sharp";
import { isAgain, isEnd } from "../engine/av.ts";
import { openDecoder } from "../engine/decode.ts";
import type { Input } from "../engine/open.ts";
import type { Pictures, VideoFacts } from "../types.ts";
import { THUMBNAIL_BOX } from "./image.ts";
import { fit, packedRgb, Scaler } from "./scale.ts";

const MOST_STILLS = 25;
const COLUMNS = 5;
const TILE_BOX = { width: 160, height: 120 };
/** The thumbnail comes from here: openings are often black. */
const THUMBNAIL_AT = 0.1;
/** Frames decoded at most after a jump; the picture where that ends is near enough. */
const MOST_FRAMES = 300;

interface Shot {
  rgb: Buffer;
  width: number;
  height: number;
}

/** Decodes the picture shown at `seconds`; null when there is none. */
function shoot(input: Input, seconds: number, box: { width: number; height: number }): Shot | null {
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
  let shot: Shot | null = null;
  const take = (): void => {
    const size = fit(frame.width, frame.height, box.width, box.height);
    const scaler = new Scaler(size.width, size.height);
    shot = { rgb: packedRgb(scaler.scale(frame)), ...size };
    scaler.free();
  };
  try {
    let count = 0;
    for (let done = false; !done;) {
      const read = input.format.readFrameSync(packet);
      const mine = read >= 0 && packet.streamIndex === stream.index;
      if (read >= 0 && !mine) {
        packet.unref();
        continue;
      }
      if (read < 0 && isAgain(read)) continue;
      decoder.sendPacketSync(read < 0 ? null : packet);
      if (read >= 0) packet.unref();
      for (;;) {
        const got = decoder.receiveFrameSync(frame);
        if (isAgain(got)) break;
        if (got < 0 || isEnd(got)) {
          done ||= read < 0;
          break;
        }
        // Keep the first picture in case the wished time never comes.
        if (frame.bestEffortTimestamp >= target || ++count >= MOST_FRAMES || shot === null) take();
        done = frame.bestEffortTimestamp >= target || count >= MOST_FRAMES;
        frame.unref();
        if (done) break;
      }
    }
  } finally {
    frame.free();
    packet.free();
    decoder.freeContext();
  }
  return shot;
}

const picture = (shot: Shot, rotation: number): Sharp => sharp(shot.rgb, { raw: { width: shot.width, height: shot.height, channels: 3 } }).rotate(rotation);

export async function makeStills(input: Input, video: VideoFacts, folder: string, onShare: (share: number) => void): Promise<Pictures> {
  const turned = video.rotation % 180 !== 0;
  const swap = ({ width, height }: { width: number; height: number }): { width: number; height: number } =>
    turned ? { width: height, height: width } : { width, height };
  const poster = shoot(input, video.duration * THUMBNAIL_AT, swap(THUMBNAIL_BOX));
  if (!poster) return { thumbnail: null, stills: null };
  const thumbnail = await picture(poster, video.rotation).jpeg({ quality: 80 }).toFile(join(folder, "thumbnail.jpg"));
  const count = Math.max(1, Math.min(MOST_STILLS, Math.floor(video.duration)));
  const every = video.duration / count;
  const tile = fit(video.width, video.height, TILE_BOX.width, TILE_BOX.height);
  const tiles: { input: Buffer; left: number; top: number }[] = [];
  for (let n = 0; n < count; n++) {
    const shot = shoot(input, (n + 0.5) * every, swap(TILE_BOX));
    onShare((n + 1) / count);
    if (!shot) continue;
    const jpeg = await picture(shot, video.rotation).resize(tile.width, tile.height, { fit: "fill" }).png().toBuffer();
    tiles.push({ input: jpeg, left: (n % COLUMNS) * tile.width, top: Math.floor(n / COLUMNS) * tile.height });
  }
  const columns = Math.min(COLUMNS, count);
  const rows = Math.ceil(count / COLUMNS);
  const sheet = await sharp({ create: { width: columns * tile.width, height: rows * tile.height, channels: 3, background: "#000" } })
    .composite(tiles)
    .jpeg({ quality: 75 })
    .toFile(join(folder, "stills.jpg"));
  return {
    thumbnail: { file: "thumbnail.jpg", mime: "image/jpeg", width: thumbnail.width, height: thumbnail.height },
    stills: { file: "stills.jpg", mime: "image/jpeg", width: sheet.width, height: sheet.height, columns, rows, count, everySeconds: every },
  };
}
