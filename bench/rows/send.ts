/** Messages that are acknowledged after their commit. */
import { join } from "node:path";
import type { Benchmark } from "../lib/benchmark.ts";
import type { LoadRequest } from "../lib/load-process.ts";
import { JSON_BODY } from "../lib/reads.ts";
import type { InsertCalls } from "./insert-process.ts";

export const send: Benchmark = {
  name: "send",
  title: "durable messages over HTTP, 10 connections, against bare durable inserts",
  async run(context) {
    const [{ ana, chats }, service, load] = [await context.data(), await context.service(), await context.load()];
    const inserter = await context.helper<InsertCalls>(new URL("insert-process.ts", import.meta.url));
    const request: LoadRequest = {
      method: "POST",
      path: "/v1/account/projects/chat_message",
      headers: { ...ana.headers, ...JSON_BODY },
      body: JSON.stringify({ project_id: chats.small.project, body: "The snare is too loud {n}", client_id: "bench-{n}" }),
    };
    const file = join(context.folder, "bare.db");
    await load.call("load", { base: service.base, request, seconds: context.seconds(2) });
    const measured = await context.inTurn(context.rounds(5), {
      "bare inserts": () => inserter.call("insertFor", { file, seconds: context.seconds(1.2) }),
      messages: async () => (await load.call("load", { base: service.base, request, seconds: context.seconds(1.5) })).perSecond,
    });
    await inserter.stop();
    return [
      {
        work: "messages, each acknowledged after its commit",
        unit: "/s",
        values: measured.messages,
        yardstick: { name: "bare durable inserts", values: measured["bare inserts"] },
        goal: { of: "ratio", better: "higher", must: 0.4, aim: 0.7 },
      },
    ];
  },
};
