/** Copies encoded streams unchanged into another container, which gives a recording its duration and index. */
import { AV_NOPTS_VALUE } from "node-av/constants";
import { Dictionary, FormatContext, Packet, type Stream } from "node-av/lib";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { check, isAgain } from "../engine/av.ts";
import type { Input } from "../engine/open.ts";

export interface RemuxSource {
  input: Input;
  stream: Stream;
  /** Seconds added to every timestamp to align video and audio that were encoded separately. */
  offsetSeconds?: number;
}

export interface RemuxTarget {
  path: string;
  /** FFmpeg's muxer name. */
  format: string;
  options?: Record<string, string>;
}

const YIELD_INTERVAL_MS = 100;

interface SourceTrack {
  source: RemuxSource;
  outputStream: Stream;
  packet: Packet;
  isReady: boolean;
  hasEnded: boolean;
  lastDts: bigint;
}

/** Reads one stream per input and interleaves the packets by time. Two sources must not share one input. */
export async function remux(sources: readonly RemuxSource[], target: RemuxTarget, onSeconds: (done: number) => void): Promise<void> {
  const format = new FormatContext();
  check(format.allocOutputContext2(null, target.format, `file:${target.path}`), "output");
  const tracks = sources.map((source): SourceTrack => {
    const outputStream = format.newStream(null);
    check(source.stream.codecpar.copy(outputStream.codecpar), "copy stream parameters");
    // Codec tags are container-specific.
    outputStream.codecpar.codecTag = 0;
    outputStream.timeBase = source.stream.timeBase;
    const packet = new Packet();
    packet.alloc();
    return { source, outputStream, packet, isReady: false, hasEnded: false, lastDts: AV_NOPTS_VALUE };
  });
  try {
    check(format.openOutputSync(), "create output");
    check(format.writeHeaderSync(Dictionary.fromObject(target.options ?? {})), "write header");
    await interleave(format, tracks, onSeconds);
    check(format.writeTrailerSync(), "write the end of the file");
  } finally {
    for (const track of tracks) track.packet.free();
    format.closeOutputSync();
  }
}

async function interleave(format: FormatContext, tracks: SourceTrack[], onSeconds: (done: number) => void): Promise<void> {
  let lastYieldAt = performance.now();
  for (;;) {
    for (const track of tracks) if (!track.isReady && !track.hasEnded) readPacket(track);
    const readyTracks = tracks.filter((track) => track.isReady);
    const next = readyTracks.reduce<SourceTrack | null>(
      (first, track) => (first === null || packetSeconds(track) < packetSeconds(first) ? track : first),
      null,
    );
    if (!next) return;
    next.isReady = false;
    const at = packetSeconds(next);
    check(format.interleavedWriteFrameSync(next.packet), "write");
    if (performance.now() - lastYieldAt > YIELD_INTERVAL_MS) {
      onSeconds(at);
      await yieldToEventLoop();
      lastYieldAt = performance.now();
    }
  }
}

const packetSeconds = ({ packet, outputStream }: SourceTrack): number => (Number(packet.dts) * outputStream.timeBase.num) / outputStream.timeBase.den;

function readPacket(track: SourceTrack): void {
  const { source, packet, outputStream } = track;
  for (;;) {
    const status = source.input.format.readFrameSync(packet);
    if (isAgain(status)) continue;
    if (status < 0) {
      track.hasEnded = true;
      return;
    }
    if (packet.streamIndex === source.stream.index && packet.size > 0) break;
    packet.unref();
  }
  if (packet.dts === AV_NOPTS_VALUE) packet.dts = packet.pts;
  if (packet.pts === AV_NOPTS_VALUE) packet.pts = packet.dts;
  packet.streamIndex = outputStream.index;
  packet.rescaleTs(source.stream.timeBase, outputStream.timeBase);
  const offset = BigInt(Math.round(((source.offsetSeconds ?? 0) * outputStream.timeBase.den) / outputStream.timeBase.num));
  packet.pts += offset;
  packet.dts += offset;
  // A recorder's clock may stall, and muxers reject timestamps that do not increase.
  if (track.lastDts !== AV_NOPTS_VALUE && packet.dts <= track.lastDts) {
    packet.dts = track.lastDts + 1n;
    if (packet.pts < packet.dts) packet.pts = packet.dts;
  }
  track.lastDts = packet.dts;
  packet.pos = -1n;
  track.isReady = true;
}
