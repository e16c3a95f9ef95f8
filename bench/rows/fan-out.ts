/** Messages in a project that 200 people have open. */
import type { Benchmark } from "../lib/benchmark.ts";
import { JSON_BODY } from "../lib/reads.ts";
import type { BroadcastCalls } from "./broadcast-process.ts";
import type { SocketCalls } from "./socket-process.ts";

const SOCKETS = 200;
const MESSAGES_PER_SECOND = 50;
const BODY = "The snare is too loud, sent at {t} #{n}";

/** Returns an event as the service sends it, with `{body}` in place of the text. */
const createFrame = (project: number): string =>
  JSON.stringify({
    event: {
      topic: `project:${project}`,
      seq: 123_456,
      type: "message.created",
      data: {
        ...{ object: "message", id: 1_500_001, project_id: project, account_id: 2, body: "{body}", type: "message", is_audio_message: false, revision: 1 },
        ...{ parent_message: null, attachments: [], reactions: [], mentions: [], client_id: "0198c2a6-7d0a-7e55-9c7a-3b1e5d2f4a10", comment: null, playlist: null },
        account: { object: "account", id: 2, username: "Ana", email: "ana@northwind.test", profile_picture: null, user_info: "", pronouns: null },
        ...{ created_at: "2026-11-01T18:00:00.000Z", edited_at: null, deleted_at: null, datetime: "2026-11-01T18:00:00.000Z" },
      },
      at: "2026-11-01T18:00:00.000Z",
    },
  });

export const fanOut: Benchmark = {
  name: "fan-out",
  title: "200 sockets in a project, 50 messages a second for 20 s, against a bare broadcast of as many bytes",
  async run(context) {
    const [{ ana, everybody, chats }, service, load] = [await context.data(), await context.service(), await context.load()];
    const readers = await context.helper<SocketCalls>(new URL("socket-process.ts", import.meta.url));
    const broadcaster = await context.helper<BroadcastCalls>(new URL("broadcast-process.ts", import.meta.url));
    const { project } = chats.small;
    const port = await broadcaster.call("useFrame", createFrame(project));
    const rounds = context.rounds(2);
    const messages = Math.round(context.seconds(20 / rounds) * MESSAGES_PER_SECOND);
    const run = async (base: string, path: string, socketUrl: string, topic: string | null) => {
      await readers.call("open", { url: socketUrl, headers: everybody.slice(0, SOCKETS), topic });
      await readers.call("begin", undefined);
      const body = JSON.stringify({ project_id: project, body: BODY });
      const request = { method: "POST" as const, path, headers: { ...ana.headers, ...JSON_BODY }, body };
      await load.call("paced", { base, request, count: messages, intervalMs: 1_000 / MESSAGES_PER_SECOND });
      const result = await readers.call("finish", messages * SOCKETS);
      await readers.call("close", undefined);
      return result;
    };
    const measured = await context.inTurn(rounds, {
      "bare broadcast": () => run(`http://127.0.0.1:${port}`, "/", `ws://127.0.0.1:${port}`, null),
      project: () => run(service.base, "/v1/account/projects/chat_message", `${service.base.replace("http", "ws")}/api/v2/live`, `project:${project}`),
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
