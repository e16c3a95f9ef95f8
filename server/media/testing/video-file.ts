/** Writes small videos with a moving bar, with or without audio. */
import { AV_CODEC_FLAG_GLOBAL_HEADER, AV_PIX_FMT_YUV420P, type AVPixelFormat, type FFEncoderCodec } from "node-av/constants";
import { Codec, CodecContext, FormatContext, Frame, Packet, Rational } from "node-av/lib";
import { rmSync } from "node:fs";
import { remux } from "../copy/remux.ts";
import { check, isAgain, isEnd } from "../engine/av.ts";
import { openInput } from "../engine/open.ts";
import { encodeFile } from "./formats.ts";
import { sine } from "./signals.ts";

export interface VideoRecipe {
  format: string;
  codec: string;
  width: number;
  height: number;
  seconds: number;
  pixelFormat?: AVPixelFormat;
  options?: Record<string, string>;
  sound?: "m4a" | "opus" | "mka";
  /** At 48 kHz; a plain tone if left out. */
  samples?: Float32Array;
  formatOptions?: Record<string, string>;
}

const RATE = 25;

function writeVideoStream(path: string, recipe: VideoRecipe): void {
  const codec = Codec.findEncoderByName(recipe.codec as FFEncoderCodec)!;
  const format = new FormatContext();
  check(format.allocOutputContext2(null, recipe.format, path), "output");
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = recipe.width;
  encoder.height = recipe.height;
  encoder.pixelFormat = recipe.pixelFormat ?? AV_PIX_FMT_YUV420P;
  encoder.timeBase = new Rational(1, RATE);
  encoder.framerate = new Rational(RATE, 1);
  encoder.bitRate = 400_000n;
  encoder.gopSize = RATE;
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  for (const [name, value] of Object.entries(recipe.options ?? {})) check(encoder.setOption(name, value), name);
  check(encoder.open2Sync(codec), "open");
  const stream = format.newStream(null);
  stream.codecpar.fromContext(encoder);
  stream.timeBase = new Rational(1, RATE);
  check(format.openOutputSync(), "create");
  check(format.writeHeaderSync(), "header");
  const frame = new Frame();
  frame.alloc();
  const packet = new Packet();
  packet.alloc();
  const drain = (): void => {
    for (;;) {
      const status = encoder.receivePacketSync(packet);
      if (isAgain(status) || isEnd(status)) return;
      check(status, "encode");
      packet.streamIndex = 0;
      packet.rescaleTs({ num: 1, den: RATE }, stream.timeBase);
      check(format.interleavedWriteFrameSync(packet), "write");
    }
  };
  for (let n = 0; n < recipe.seconds * RATE; n++) {
    frame.format = encoder.pixelFormat;
    frame.width = recipe.width;
    frame.height = recipe.height;
    check(frame.getBuffer(), "memory");
    const [luma, ...chroma] = frame.data!;
    const stride = frame.linesize[0]!;
    for (const plane of chroma) plane.fill(128);
    for (let row = 0; row < recipe.height; row++) {
      luma!.fill(40, row * stride, row * stride + recipe.width);
      const bar = (n * 4) % (recipe.width - 16);
      luma!.fill(220, row * stride + bar, row * stride + bar + 16);
    }
    frame.pts = BigInt(n);
    check(encoder.sendFrameSync(frame), "send");
    frame.unref();
    drain();
  }
  check(encoder.sendFrameSync(null), "end");
  drain();
  check(format.writeTrailerSync(), "trailer");
  frame.free();
  packet.free();
  encoder.freeContext();
  format.closeOutputSync();
}

export async function writeVideo(path: string, recipe: VideoRecipe): Promise<void> {
  if (!recipe.sound) return writeVideoStream(path, recipe);
  const videoPath = `${path}.picture`;
  const audioPath = `${path}.sound`;
  writeVideoStream(videoPath, { ...recipe, format: "matroska" });
  encodeFile(audioPath, recipe.sound, [recipe.samples ?? sine(440, 0.3, recipe.seconds, 48_000)], 48_000);
  const [a, b] = [openInput(videoPath), openInput(audioPath)];
  await remux(
    [
      { input: a, stream: a.video! },
      { input: b, stream: b.audio! },
    ],
    { path, format: recipe.format, options: recipe.formatOptions ?? {} },
    () => {},
  );
  a.close();
  b.close();
  rmSync(videoPath);
  rmSync(audioPath);
}
