/** Measures a file's duration from its packets, for containers that declare none. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { AV_NOPTS_VALUE } from "node-av/constants";
import { Packet } from "node-av/lib";
import { isAgain, secondsPerTick } from "./av.ts";
import { openInput } from "./open.ts";

const PACKETS_PER_YIELD = 10_000;

/** Returns the seconds from the first packet's timestamp to the end of the last packet. */
export async function scanSeconds(path: string, onPackets: () => void): Promise<number> {
  const input = openInput(path);
  const packet = new Packet();
  packet.alloc();
  const ticks = input.format.streams.map((stream) => secondsPerTick(stream.timeBase));
  let first = Infinity;
  let last = -Infinity;
  try {
    for (let count = 1; ; count++) {
      const readStatus = input.format.readFrameSync(packet);
      if (readStatus < 0 && isAgain(readStatus)) continue;
      if (readStatus < 0) return last > first ? last - first : 0;
      const tick = ticks[packet.streamIndex] ?? 0;
      if (packet.pts !== AV_NOPTS_VALUE) {
        first = Math.min(first, Number(packet.pts) * tick);
        last = Math.max(last, Number(packet.pts + packet.duration) * tick);
      }
      packet.unref();
      if (count % PACKETS_PER_YIELD !== 0) continue;
      onPackets();
      await yieldToEventLoop();
    }
  } finally {
    packet.free();
    input.close();
  }
}
