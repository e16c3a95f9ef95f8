/** Puts encoded streams into another container without touching them: gives a recording its duration and its index. */
import { setImmediate as breath } from "node:timers/promises";
import { AV_NOPTS_VALUE } from "node-av/constants";
import { Dictionary, FormatContext, Packet, type Stream } from "node-av/lib";
import { check, isAgain } from "../engine/av.ts";
import type { Input } from "../engine/open.ts";

export interface RemuxSource {
  input: Input;
  stream: Stream;
  /** Added to every time stamp, so that picture and sound made apart meet again. */
  offsetSeconds?: number;
}

export interface RemuxTarget {
  path: string;
  /** FFmpeg's muxer name. */
  format: string;
  options?: Record<string, string>;
}

const BREATH_MS = 100;

interface Lane {
  source: RemuxSource;
  out: Stream;
  packet: Packet;
  ready: boolean;
  ended: boolean;
  lastDts: bigint;
}

/** Reads each input's stream and interleaves by time. One input must not stand in two sources. */
export async function remux(sources: readonly RemuxSource[], target: RemuxTarget, onSeconds: (done: number) => void): Promise<void> {
  const format = new FormatContext();
  check(format.allocOutputContext2(null, target.format, `file:${target.path}`), "output");
  const lanes = sources.map((source): Lane => {
    const out = format.newStream(null);
    check(source.stream.codecpar.copy(out.codecpar), "copy stream parameters");
    // The tag of one container means nothing in another.
    out.codecpar.codecTag = 0;
    out.timeBase = source.stream.timeBase;
    const packet = new Packet();
    packet.alloc();
    return { source, out, packet, ready: false, ended: false, lastDts: AV_NOPTS_VALUE };
  });
  try {
    check(format.openOutputSync(), "create output");
    check(format.writeHeaderSync(Dictionary.fromObject(target.options ?? {})), "write header");
    await pump(format, lanes, onSeconds);
    check(format.writeTrailerSync(), "write the end of the file");
  } finally {
    for (const lane of lanes) lane.packet.free();
    format.closeOutputSync();
  }
}

async function pump(format: FormatContext, lanes: Lane[], onSeconds: (done: number) => void): Promise<void> {
  let last = performance.now();
  for (;;) {
    for (const lane of lanes) if (!lane.ready && !lane.ended) read(lane);
    const waiting = lanes.filter((lane) => lane.ready);
    const next = waiting.reduce<Lane | null>((first, lane) => (first === null || seconds(lane) < seconds(first) ? lane : first), null);
    if (!next) return;
    next.ready = false;
    const at = seconds(next);
    check(format.interleavedWriteFrameSync(next.packet), "write");
    if (performance.now() - last > BREATH_MS) {
      onSeconds(at);
      await breath();
      last = performance.now();
    }
  }
}

const seconds = ({ packet, out }: Lane): number => (Number(packet.dts) * out.timeBase.num) / out.timeBase.den;

function read(lane: Lane): void {
  const { source, packet, out } = lane;
  for (;;) {
    const got = source.input.format.readFrameSync(packet);
    if (isAgain(got)) continue;
    if (got < 0) {
      lane.ended = true;
      return;
    }
    if (packet.streamIndex === source.stream.index && packet.size > 0) break;
    packet.unref();
  }
  if (packet.dts === AV_NOPTS_VALUE) packet.dts = packet.pts;
  if (packet.pts === AV_NOPTS_VALUE) packet.pts = packet.dts;
  packet.streamIndex = out.index;
  packet.rescaleTs(source.stream.timeBase, out.timeBase);
  const shift = BigInt(Math.round(((source.offsetSeconds ?? 0) * out.timeBase.den) / out.timeBase.num));
  packet.pts += shift;
  packet.dts += shift;
  // A recorder's clock may stand still for a moment; muxers refuse that.
  if (lane.lastDts !== AV_NOPTS_VALUE && packet.dts <= lane.lastDts) {
    packet.dts = lane.lastDts + 1n;
    if (packet.pts < packet.dts) packet.pts = packet.dts;
  }
  lane.lastDts = packet.dts;
  packet.pos = -1n;
  lane.ready = true;
}
