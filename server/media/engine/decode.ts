/** Decoding loop with synchronous calls, one reused packet and frame, and regular yields to the event loop. */
import { avGetCodecName, CodecContext, Codec, Frame, Packet, type Stream } from "node-av/lib";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { MediaFailure } from "../failure.ts";
import { check, isAgain, isEnd, isUnsupported } from "./av.ts";
import type { Input } from "./open.ts";

/** Longest time the loop blocks before messages and a closed IPC channel are handled. */
const YIELD_INTERVAL_MS = 100;

export function openDecoder(stream: Stream, threads = 1): CodecContext {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  const name = avGetCodecName(stream.codecpar.codecId) ?? "unknown";
  if (!codec) throw new MediaFailure("not-supported", `no decoder for codec ${name}`, `The encoding ${name} is not supported.`);
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
  /** Packets that the decoder rejected. */
  brokenPackets: number;
  /** True if the decoder rejected a packet because it lacks support for it. */
  isUnsupported: boolean;
  /** True if reading failed before the end of the container. */
  isTruncated: boolean;
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
  const result: DecodeStats = { frames: 0, bytes: 0, brokenPackets: 0, isUnsupported: false, isTruncated: false };
  const { index } = stream;
  let stopped = false;
  const drain = (): void => {
    while (!stopped) {
      const status = decoder.receiveFrameSync(frame);
      if (isAgain(status) || isEnd(status)) return;
      if (status < 0) {
        result.brokenPackets++;
        return;
      }
      result.frames++;
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
        result.isTruncated = !isEnd(readStatus);
        break;
      }
      if (packet.streamIndex === index) {
        result.bytes += packet.size;
        const sent = decoder.sendPacketSync(packet);
        if (sent < 0) result.brokenPackets++;
        result.isUnsupported ||= isUnsupported(sent);
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
  return result;
}
