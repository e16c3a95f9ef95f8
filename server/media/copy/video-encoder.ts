/** Encodes the video stream as H.264 (yuv420p, at most 1080 lines) into its own file. */
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_NOPTS_VALUE,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  type FFEncoderCodec,
} from "node-av/constants";
import { Codec, CodecContext, FormatContext, Packet, Rational } from "node-av/lib";
import { check, isAgain, isEnd, secondsPerTick } from "../engine/av.ts";
import { decodeStream } from "../engine/decode.ts";
import type { Input } from "../engine/open.ts";
import { fitInside, Scaler } from "../engine/scale.ts";
import { MediaFailure } from "../failure.ts";

const MAX_SIZE = { width: 1_920, height: 1_080 };
const ENCODER_OPTIONS = { preset: "veryfast", crf: "23" };
const KEYFRAME_SECONDS = 2;
/** Time base of the copy. A microsecond grid fits every frame rate. */
const TICKS_PER_SECOND = 1_000_000;

/** `spend` receives the pixels of each frame and may throw to end the encoding. */
export async function encodeVideoStream(input: Input, path: string, spend: (pixels: number) => void, onSeconds: (done: number) => void): Promise<void> {
  const stream = input.video;
  if (!stream) throw new MediaFailure("not-media", "no video stream");
  const codec = Codec.findEncoderByName("libx264" as FFEncoderCodec);
  if (!codec) throw new MediaFailure("engine-missing", "no H.264 encoder");
  const size = fitInside(stream.codecpar.width, stream.codecpar.height, MAX_SIZE.width, MAX_SIZE.height);
  const scaler = new Scaler(size.width, size.height, AV_PIX_FMT_YUV420P);
  const frameSeconds = secondsPerTick({ num: stream.avgFrameRate.den || 1, den: stream.avgFrameRate.num || 25 });
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = size.width;
  encoder.height = size.height;
  encoder.pixelFormat = AV_PIX_FMT_YUV420P;
  encoder.timeBase = new Rational(1, TICKS_PER_SECOND);
  if (stream.avgFrameRate.num > 0) encoder.framerate = stream.avgFrameRate;
  encoder.gopSize = Math.max(1, Math.round(KEYFRAME_SECONDS / frameSeconds));
  encoder.threadCount = 1;
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // Never pass these as the second argument of `open2Sync`: the binding frees that dictionary twice.
  for (const [name, value] of Object.entries(ENCODER_OPTIONS)) check(encoder.setOption(name, value), `picture encoder option ${name}`);
  check(encoder.open2Sync(codec), "open picture encoder");

  const format = new FormatContext();
  check(format.allocOutputContext2(null, "mp4", `file:${path}`), "output");
  const outputStream = format.newStream(null);
  check(outputStream.codecpar.fromContext(encoder), "stream parameters");
  outputStream.timeBase = new Rational(1, TICKS_PER_SECOND);
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix) outputStream.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, matrix);
  check(format.openOutputSync(), "create output");
  const packet = new Packet();
  packet.alloc();
  const drain = (): void => {
    for (;;) {
      const status = encoder.receivePacketSync(packet);
      if (isAgain(status) || isEnd(status)) return;
      check(status, "encode picture");
      packet.streamIndex = 0;
      packet.rescaleTs({ num: 1, den: TICKS_PER_SECOND }, outputStream.timeBase);
      check(format.interleavedWriteFrameSync(packet), "write");
    }
  };
  try {
    check(format.writeHeaderSync(), "write header");
    const tick = secondsPerTick(stream.timeBase);
    let first: number | null = null;
    let last = -1;
    await decodeStream(input, stream, (frame) => {
      spend(frame.width * frame.height);
      const timestamp = frame.bestEffortTimestamp;
      const seconds = timestamp === AV_NOPTS_VALUE ? (last < 0 ? 0 : last / TICKS_PER_SECOND + frameSeconds) : Number(timestamp) * tick;
      first ??= seconds;
      const at = Math.round((seconds - first) * TICKS_PER_SECOND);
      // Skip a second frame at the same time, which the encoder would reject.
      if (at <= last) return;
      last = at;
      const scaled = scaler.scale(frame);
      scaled.pts = BigInt(at);
      scaled.pictType = AV_PICTURE_TYPE_NONE;
      check(encoder.sendFrameSync(scaled), "encode picture");
      drain();
      onSeconds(at / TICKS_PER_SECOND);
    });
    if (last < 0) throw new MediaFailure("damaged", "no picture decoded");
    check(encoder.sendFrameSync(null), "finish picture");
    drain();
    check(format.writeTrailerSync(), "write the end of the file");
  } finally {
    packet.free();
    scaler.free();
    encoder.freeContext();
    format.closeOutputSync();
  }
}
