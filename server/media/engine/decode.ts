/** The decoding loop: one reused packet and frame, synchronous calls, a short breath now and then. */
import { setImmediate as breath } from "node:timers/promises";
import { CodecContext, Codec, Frame, Packet, type Stream } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { check, isAgain, isEnd, sayCode } from "./av.ts";
import type { Input } from "./open.ts";

/** So long the loop may run before messages and a closed channel are seen. */
const BREATH_MS = 100;

export function openDecoder(stream: Stream, threads = 1): CodecContext {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (!codec) throw new MediaFailure("not-supported", `no decoder for codec ${stream.codecpar.codecId}`);
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  check(decoder.parametersToContext(stream.codecpar), "decoder parameters");
  // Without it the decoder cannot place the padding that gapless files ask to be dropped.
  decoder.pktTimebase = stream.timeBase;
  decoder.threadCount = threads;
  const opened = decoder.open2Sync(codec, null);
  if (opened < 0) throw new MediaFailure("damaged", `open decoder: ${sayCode(opened)}`);
  return decoder;
}

export interface Decoded {
  frames: number;
  /** Bytes of the stream's packets. */
  bytes: number;
  /** Packets that the decoder could not use. */
  broken: number;
  /** The container gave up before its end. */
  cut: boolean;
}

/**
 * Reads the whole stream and hands every frame to `each`; a broken packet is counted and skipped, as players do.
 * Frames are valid during the call only. `each` may answer `false` to stop early.
 */
export async function decodeStream(input: Input, stream: Stream, each: (frame: Frame) => boolean | void): Promise<Decoded> {
  const decoder = openDecoder(stream);
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  const result: Decoded = { frames: 0, bytes: 0, broken: 0, cut: false };
  const { index } = stream;
  let stop = false;
  const drain = (): void => {
    while (!stop) {
      const got = decoder.receiveFrameSync(frame);
      if (isAgain(got) || isEnd(got)) return;
      if (got < 0) {
        result.broken++;
        return;
      }
      result.frames++;
      if (each(frame) === false) stop = true;
      frame.unref();
    }
  };
  try {
    let last = performance.now();
    while (!stop) {
      const read = input.format.readFrameSync(packet);
      if (read < 0) {
        if (isAgain(read)) continue;
        result.cut = !isEnd(read);
        break;
      }
      if (packet.streamIndex === index) {
        result.bytes += packet.size;
        if (decoder.sendPacketSync(packet) < 0) result.broken++;
        drain();
      }
      packet.unref();
      if (performance.now() - last > BREATH_MS) {
        await breath();
        last = performance.now();
      }
    }
    if (!stop) {
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
