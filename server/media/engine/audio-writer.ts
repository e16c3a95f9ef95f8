/** Encodes float blocks into an audio file, for both streaming copies and test files. */
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  AV_SAMPLE_FMT_S32P,
  AV_SAMPLE_FMT_U8,
  AVFMT_GLOBALHEADER,
  type AVSampleFormat,
  type FFEncoderCodec,
} from "node-av/constants";
import { avChannelLayoutDefault, type ChannelLayout, Codec, CodecContext, Dictionary, FormatContext, Frame, Packet, Rational } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { check, isAgain, isEnd } from "./av.ts";

export interface AudioTarget {
  path: string;
  /** FFmpeg's muxer name. `ipod` is .m4a. */
  format: string;
  /** FFmpeg's encoder name. */
  codec: string;
  sampleRate: number;
  channels: number;
  /** Bits per second. Lossless codecs ignore it. */
  bitRate?: number;
  sampleFormat?: AVSampleFormat;
  bitsPerRawSample?: number;
  codecOptions?: Record<string, string>;
  formatOptions?: Record<string, string>;
  metadata?: Record<string, string>;
}

const PCM_FRAME = 4_096;

const clamp = (value: number, low: number, high: number): number => (value < low ? low : value > high ? high : value);
const round16 = (v: number): number => clamp(Math.round(v * 32_768), -32_768, 32_767);

export class AudioWriter {
  readonly #format = new FormatContext();
  readonly #encoder = new CodecContext();
  readonly #frame = new Frame();
  readonly #packet = new Packet();
  readonly #buffers: Float32Array[];
  readonly #step: number;
  readonly #raw: number;
  readonly #layout: ChannelLayout;
  #filled = 0;
  #pts = 0n;
  #open = true;
  /** Samples per channel passed to `write` so far. */
  written = 0;

  constructor(target: AudioTarget) {
    this.#raw = target.bitsPerRawSample ?? 0;
    this.#layout = avChannelLayoutDefault(target.channels);
    try {
      this.#setUp(target);
    } catch (error) {
      this.close();
      throw error;
    }
    this.#step = this.#encoder.frameSize || PCM_FRAME;
    this.#buffers = Array.from({ length: target.channels }, () => new Float32Array(this.#step));
  }

  write(channels: readonly Float32Array[], length: number): void {
    for (let done = 0; done < length;) {
      const count = Math.min(length - done, this.#step - this.#filled);
      for (let c = 0; c < this.#buffers.length; c++) this.#buffers[c]!.set(channels[c]!.subarray(done, done + count), this.#filled);
      this.#filled += count;
      done += count;
      if (this.#filled === this.#step) this.#encode();
    }
    this.written += length;
  }

  /** Flushes, writes the index and closes, which completes the file. */
  finish(): void {
    if (this.#filled > 0) this.#encode();
    check(this.#encoder.sendFrameSync(null), "finish encoding");
    this.#drain();
    check(this.#format.writeTrailerSync(), "write the end of the file");
    this.close();
  }

  /** Releases all resources, after `finish` or after an error. Can be called more than once. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#frame.free();
    this.#packet.free();
    this.#encoder.freeContext();
    this.#format.closeOutputSync();
  }

  #setUp(target: AudioTarget): void {
    this.#frame.alloc();
    this.#packet.alloc();
    const codec = Codec.findEncoderByName(target.codec as FFEncoderCodec);
    if (!codec) throw new MediaFailure("engine-missing", `no encoder ${target.codec}`);
    const encoder = this.#encoder;
    encoder.allocContext3(codec);
    check(this.#format.allocOutputContext2(null, target.format, `file:${target.path}`), "output");
    encoder.sampleFormat = target.sampleFormat ?? codec.sampleFormats?.[0] ?? AV_SAMPLE_FMT_FLTP;
    encoder.sampleRate = target.sampleRate;
    encoder.channelLayout = this.#layout;
    encoder.timeBase = new Rational(1, target.sampleRate);
    if (target.bitRate) encoder.bitRate = BigInt(target.bitRate);
    if (target.bitsPerRawSample) encoder.bitsPerRawSample = target.bitsPerRawSample;
    if (this.#format.oformat!.hasFlags(AVFMT_GLOBALHEADER)) encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    // Never pass these as the second argument of `open2Sync`: the binding frees that dictionary twice.
    for (const [name, value] of Object.entries(target.codecOptions ?? {})) check(encoder.setOption(name, value), `encoder option ${name}`);
    check(encoder.open2Sync(codec), `open encoder ${target.codec}`);
    const stream = this.#format.newStream(null);
    check(stream.codecpar.fromContext(encoder), "stream parameters");
    stream.timeBase = new Rational(1, target.sampleRate);
    if (target.metadata) this.#format.metadata = Dictionary.fromObject(target.metadata);
    check(this.#format.openOutputSync(), "create output");
    check(this.#format.writeHeaderSync(Dictionary.fromObject(target.formatOptions ?? {})), "write header");
  }

  #encode(): void {
    const frame = this.#frame;
    const count = this.#filled;
    frame.format = this.#encoder.sampleFormat;
    frame.nbSamples = count;
    frame.sampleRate = this.#encoder.sampleRate;
    frame.channelLayout = this.#layout;
    check(frame.getBuffer(), "frame memory");
    this.#fill(frame, count);
    frame.pts = this.#pts;
    frame.timeBase = new Rational(1, this.#encoder.sampleRate);
    this.#pts += BigInt(count);
    this.#filled = 0;
    check(this.#encoder.sendFrameSync(frame), "encode");
    frame.unref();
    this.#drain();
  }

  #fill(frame: Frame, count: number): void {
    const planes = frame.extendedData ?? frame.data!;
    const channels = this.#buffers;
    const channelCount = channels.length;
    const writeSamples = (createView: (b: Buffer, n: number) => { [index: number]: number }, planar: boolean, convert: (v: number) => number): void => {
      const packed = planar ? null : createView(planes[0]!, count * channelCount);
      for (let c = 0; c < channelCount; c++) {
        const out = packed ?? createView(planes[c]!, count);
        const from = channels[c]!;
        for (let i = 0; i < count; i++) out[packed ? i * channelCount + c : i] = convert(from[i]!);
      }
    };
    const viewArguments = (b: Buffer): [ArrayBuffer, number] => [b.buffer as ArrayBuffer, b.byteOffset];
    // 24-bit samples occupy the upper bits of a 32-bit integer.
    const unit = this.#raw === 24 ? 8_388_608 : 2_147_483_648;
    const round32 = (v: number): number => clamp(Math.round(v * unit), -unit, unit - 1) * (2_147_483_648 / unit);
    const format = this.#encoder.sampleFormat;
    if (format === AV_SAMPLE_FMT_FLTP)
      writeSamples(
        (b, n) => new Float32Array(...viewArguments(b), n),
        true,
        (v) => v,
      );
    else if (format === AV_SAMPLE_FMT_FLT)
      writeSamples(
        (b, n) => new Float32Array(...viewArguments(b), n),
        false,
        (v) => v,
      );
    else if (format === AV_SAMPLE_FMT_S16) writeSamples((b, n) => new Int16Array(...viewArguments(b), n), false, round16);
    else if (format === AV_SAMPLE_FMT_S16P) writeSamples((b, n) => new Int16Array(...viewArguments(b), n), true, round16);
    else if (format === AV_SAMPLE_FMT_S32) writeSamples((b, n) => new Int32Array(...viewArguments(b), n), false, round32);
    else if (format === AV_SAMPLE_FMT_S32P) writeSamples((b, n) => new Int32Array(...viewArguments(b), n), true, round32);
    else if (format === AV_SAMPLE_FMT_DBL)
      writeSamples(
        (b, n) => new Float64Array(...viewArguments(b), n),
        false,
        (v) => v,
      );
    else if (format === AV_SAMPLE_FMT_U8)
      writeSamples(
        (b, n) => new Uint8Array(...viewArguments(b), n),
        false,
        (v) => clamp(Math.round(v * 128) + 128, 0, 255),
      );
    else throw new MediaFailure("not-supported", `cannot write sample format ${format}`);
  }

  #drain(): void {
    const packet = this.#packet;
    const stream = this.#format.streams[0]!;
    for (;;) {
      const status = this.#encoder.receivePacketSync(packet);
      if (isAgain(status) || isEnd(status)) return;
      check(status, "encode");
      packet.streamIndex = 0;
      packet.rescaleTs(this.#encoder.timeBase, stream.timeBase);
      check(this.#format.interleavedWriteFrameSync(packet), "write");
    }
  }
}
