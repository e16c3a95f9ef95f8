/** Decoding loop with synchronous calls, one reused packet and frame, and regular yields to the event loop. */
import { AV_NOPTS_VALUE } from "node-av/constants";
import { avGetCodecName, CodecContext, Codec, Frame, Packet, type Stream } from "node-av/lib";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { MediaFailure } from "../failure.ts";
import { check, isAgain, isEnd, isUnsupported, secondsPerTick } from "./av.ts";
import type { Input } from "./open.ts";

/** Longest time the loop blocks before messages and a closed IPC channel are handled. */
const YIELD_INTERVAL_MS = 100;

export function openDecoder(stream: Stream, threads = 1): CodecContext {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  const name = avGetCodecName(stream.codecpar.codecId) ?? "unknown";
  if (!codec)
    throw new MediaFailure(
      "not-supported",
      `no decoder for codec ${name}`,
      name === "none" || name === "unknown" ? "The encoding of the sound is unknown and not supported." : `The encoding ${name} is not supported.`,
    );
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  check(decoder.parametersToContext(stream.codecpar), "decoder parameters");
  // The decoder needs the time base to locate the padding that gapless files mark for removal.
  decoder.pktTimebase = stream.timeBase;
  decoder.threadCount = threads;
  check(decoder.open2Sync(codec, null), "open decoder", codec.longName ?? name);
  return decoder;
}

export interface DecodeStats {
  frames: number;
  /** Total bytes of the stream's packets. */
  bytes: number;
  /** Packets that the decoder rejected before its last frame, and whose samples are missing. */
  brokenPackets: number;
  /** Packets that the decoder rejected after its last frame. */
  brokenAtEnd: number;
  /** Timestamp of the first frame in seconds, 0 if it has none. */
  startSeconds: number;
  /** Largest difference in seconds between the timestamps and the time that the samples take. */
  driftSeconds: number;
  /** True if the decoder rejected a packet because it lacks support for it. */
  isUnsupported: boolean;
  /** True if reading failed before the end of the container. */
  isTruncated: boolean;
}

/** Rejected packets left a hole if the timestamps jump by more than this. Vorbis rejects a first packet that has no samples of its own. */
const HOLE_SECONDS = 0.005;

/** Compares the timestamps of the frames with the samples decoded so far, to find holes. */
class Timeline {
  readonly #tick: number;
  #startSeconds: number | null = null;
  #decodedSeconds = 0;
  /** Difference between timestamp and decoded samples at the last frame. */
  #difference = 0;
  #driftSeconds = 0;
  #rejected = 0;
  #rejectedFrom: number | null = null;
  #brokenPackets = 0;

  constructor(stream: Stream) {
    this.#tick = secondsPerTick(stream.timeBase);
  }

  rejectPacket(pts: bigint): void {
    if (this.#rejected++ === 0) this.#rejectedFrom = this.#toSeconds(pts);
  }

  addFrame(frame: Frame): void {
    const at = this.#toSeconds(frame.bestEffortTimestamp);
    const start = this.#startSeconds;
    const difference = at === null || start === null ? this.#difference : at - start - this.#decodedSeconds;
    const hole = start === null ? (at ?? 0) - (this.#rejectedFrom ?? -Infinity) : difference - this.#difference;
    if (this.#rejected > 0 && (at === null || hole > HOLE_SECONDS)) this.#brokenPackets += this.#rejected;
    this.#rejected = 0;
    this.#startSeconds ??= at ?? 0;
    this.#difference = difference;
    this.#driftSeconds = Math.max(this.#driftSeconds, Math.abs(difference));
    if (frame.sampleRate > 0) this.#decodedSeconds += frame.nbSamples / frame.sampleRate;
  }

  result(): Pick<DecodeStats, "brokenPackets" | "brokenAtEnd" | "startSeconds" | "driftSeconds"> {
    return {
      brokenPackets: this.#brokenPackets,
      brokenAtEnd: this.#rejected,
      startSeconds: this.#startSeconds ?? 0,
      driftSeconds: this.#driftSeconds,
    };
  }

  #toSeconds(timestamp: bigint): number | null {
    return timestamp === AV_NOPTS_VALUE ? null : Number(timestamp) * this.#tick;
  }
}

/**
 * Reads the whole stream and passes every frame to `onFrame`. A broken packet is counted and skipped, as players do. A
 * frame is valid during the call only. `onFrame` may return `false` to stop early.
 */
export async function decodeStream(input: Input, stream: Stream, onFrame: (frame: Frame) => boolean | void): Promise<DecodeStats> {
  const decoder = openDecoder(stream);
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  const timeline = new Timeline(stream);
  const counts = { frames: 0, bytes: 0, isUnsupported: false, isTruncated: false };
  const { index } = stream;
  let stopped = false;
  const drain = (): void => {
    while (!stopped) {
      const status = decoder.receiveFrameSync(frame);
      if (isAgain(status) || isEnd(status)) return;
      if (status < 0) {
        timeline.rejectPacket(packet.pts);
        return;
      }
      counts.frames++;
      timeline.addFrame(frame);
      if (onFrame(frame) === false) stopped = true;
      frame.unref();
    }
  };
  try {
    let lastYieldAt = performance.now();
    while (!stopped) {
      const readStatus = input.format.readFrameSync(packet);
      if (readStatus < 0) {
        if (isAgain(readStatus)) continue;
        counts.isTruncated = !isEnd(readStatus);
        break;
      }
      if (packet.streamIndex === index) {
        counts.bytes += packet.size;
        const sent = decoder.sendPacketSync(packet);
        if (sent < 0) timeline.rejectPacket(packet.pts);
        counts.isUnsupported ||= isUnsupported(sent);
        drain();
      }
      packet.unref();
      if (performance.now() - lastYieldAt > YIELD_INTERVAL_MS) {
        await yieldToEventLoop();
        lastYieldAt = performance.now();
      }
    }
    if (!stopped) {
      decoder.sendPacketSync(null);
      drain();
    }
  } finally {
    frame.free();
    packet.free();
    decoder.freeContext();
  }
  return { ...counts, ...timeline.result() };
}
