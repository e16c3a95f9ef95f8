/** Messages in a project that 200 people have open. */
import type { Benchmark } from "../lib/benchmark.ts";
import { JSON_BODY } from "../lib/reads.ts";
import type { BroadcastCalls } from "./broadcast-process.ts";
import type { SocketCalls } from "./socket-process.ts";

const SOCKETS = 200;
const MESSAGES_PER_SECOND = 50;
const BODY = "The snare is too loud, sent at {t} #{n}";

export const fanOut: Benchmark = {
  name: "fan-out",
  title: "200 sockets in a project, 50 messages a second for 20 s, against a bare broadcast of as many bytes",
  async run(context) {
    const [{ ana, everybody, chats }, service, load] = [await context.data(), await context.service(), await context.load()];
    const readers = await context.helper<SocketCalls>(new URL("socket-process.ts", import.meta.url));
    const broadcaster = await context.helper<BroadcastCalls>(new URL("broadcast-process.ts", import.meta.url));
    const { project } = chats.small;
    const rounds = context.rounds(2);
    const messages = Math.round(context.seconds(20 / rounds) * MESSAGES_PER_SECOND);
    const run = async (base: string, path: string, socketUrl: string, followed: string | null, count = messages, sockets = SOCKETS) => {
      await readers.call("open", { url: socketUrl, headers: everybody.slice(0, sockets), topic: followed });
      await readers.call("begin", undefined);
      const body = JSON.stringify({ project_id: project, body: BODY });
      const request = { method: "POST" as const, path, headers: { ...ana.headers, ...JSON_BODY }, body };
      await load.call("paced", { base, request, count, intervalMs: 1_000 / MESSAGES_PER_SECOND });
      const result = await readers.call("finish", count * sockets);
      await readers.call("close", undefined);
      return result;
    };
    const serviceSockets = `${service.base.replace("http", "ws")}/api/v2/live`;
    const topic = `project:${project}`;
    const messagePath = "/v1/account/projects/chat_message";
    // One message, whose event the bare server then sends with other texts.
    await run(service.base, messagePath, serviceSockets, topic, 1, 1);
    const frame = (await readers.call("lastText", undefined)).replace(/"body":"[^"]*"/, '"body":"{body}"');
    const port = await broadcaster.call("useFrame", frame);
    const bareBase = `http://127.0.0.1:${port}`;
    const measured = await context.inTurn(rounds, {
      "bare broadcast": () => run(bareBase, "/", bareBase.replace("http", "ws"), null),
      project: () => run(service.base, messagePath, serviceSockets, topic),
    });
    await Promise.all([readers.stop(), broadcaster.stop()]);
    const total = messages * SOCKETS;
    const wrong = measured.project.map(({ arrived, doubled }) => Math.abs(total - arrived) + doubled);
    const latency = (results: typeof measured.project, share: "p50" | "p99") => results.map((result) => result[share]);
    return [
      {
        work: `sent to arrived, p99 of ${(rounds * total).toLocaleString("en-US")} arrivals`,
        unit: "ms",
        values: latency(measured.project, "p99"),
        yardstick: { name: "bare broadcast", values: latency(measured["bare broadcast"], "p99") },
        goal: { of: "ratio", better: "lower", must: 4, aim: 2 },
      },
      {
        work: "the same, p50",
        unit: "ms",
        values: latency(measured.project, "p50"),
        yardstick: { name: "bare broadcast", values: latency(measured["bare broadcast"], "p50") },
      },
      { work: "lost or doubled", unit: "", values: wrong, goal: { of: "value", better: "lower", must: 0 } },
    ];
  },
};
