/** How long a file is by its packets alone, for containers that do not say. */
import { setImmediate as breath } from "node:timers/promises";
import { AV_NOPTS_VALUE } from "node-av/constants";
import { Packet } from "node-av/lib";
import { isAgain, perTick } from "./av.ts";
import { openInput } from "./open.ts";

const PACKETS_PER_BREATH = 10_000;

/** Seconds from the first packet's time to the end of the last one. */
export async function scanSeconds(path: string, onPackets: () => void): Promise<number> {
  const input = openInput(path);
  const packet = new Packet();
  packet.alloc();
  const ticks = input.format.streams.map((stream) => perTick(stream.timeBase));
  let first = Infinity;
  let last = -Infinity;
  try {
    for (let count = 1; ; count++) {
      const read = input.format.readFrameSync(packet);
      if (read < 0 && isAgain(read)) continue;
      if (read < 0) return last > first ? last - first : 0;
      const tick = ticks[packet.streamIndex] ?? 0;
      if (packet.pts !== AV_NOPTS_VALUE) {
        first = Math.min(first, Number(packet.pts) * tick);
        last = Math.max(last, Number(packet.pts + packet.duration) * tick);
      }
      packet.unref();
      if (count % PACKETS_PER_BREATH !== 0) continue;
      onPackets();
      await breath();
    }
  } finally {
    packet.free();
    input.close();
  }
}
