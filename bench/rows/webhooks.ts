/** Webhook deliveries: how many a second, and how long after the change. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "../lib/benchmark.ts";
import { machineTime } from "../lib/machine-time.ts";
import { JSON_BODY } from "../lib/reads.ts";
import { percentile } from "../lib/statistics.ts";
import type { ReceiverCalls } from "./receiver-process.ts";

const ENDPOINTS = 20;
const DELIVERIES = 20_000;
/** The delivery engine sends at most four requests to an endpoint at a time. */
const CONCURRENCY = 40;
const CHANGES = 100;

/** Queues deliveries of copies of the newest event to all endpoints, in one transaction beside the service. */
function queueDeliveries(database: DatabaseSync, endpoints: readonly number[], count: number): void {
  const event = database.prepare("select * from outbound_events where type = 'file.status_changed' order by created_at desc limit 1").get() as Record<
    string,
    never
  >;
  const insertEvent = database.prepare("insert into outbound_events (id, organisation_id, type, data, created_at, project_id) values (?, ?, ?, ?, ?, ?)");
  const insertDelivery = database.prepare(`insert into deliveries (endpoint_id, event_id, event_type, is_test, by_hand, state, next_attempt_at, created_at)
    values (?, ?, 'file.status_changed', 0, 0, 'pending', ?, ?)`);
  const now = Date.now();
  database.exec("begin immediate");
  for (let index = 0; index < count; index += endpoints.length) {
    const id = randomUUID();
    insertEvent.run(id, event["organisation_id"]!, event["type"]!, event["data"]!, now, event["project_id"]!);
    for (const endpoint of endpoints) insertDelivery.run(endpoint, id, now, now);
  }
  database.exec("commit");
}

export const webhooks: Benchmark = {
  name: "webhooks",
  title: "20,000 recorded deliveries to 20 endpoints, against bare signed posts; status change to receiver while idle",
  async run(context) {
    const [{ folder, owner, library }, service] = [await context.data(), await context.service()];
    const receiver = await context.helper<ReceiverCalls>(new URL("receiver-process.ts", import.meta.url));
    const sender = await context.helper<ReceiverCalls>(new URL("receiver-process.ts", import.meta.url));
    const base = await receiver.call("reset", undefined);
    const post = async (path: string, body: object) => {
      const response = await fetch(service.base + path, { method: "POST", headers: { ...owner.headers, ...JSON_BODY }, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path} returned ${response.status} ${await response.text()}`);
      return (await response.json()) as { data: { id: number } };
    };
    const paths = Array.from({ length: ENDPOINTS }, (_, index) => `/endpoint/${index}`);
    const endpoints: number[] = [];
    for (const path of paths) endpoints.push((await post("/api/v2/webhook-endpoints", { url: base + path, event_types: ["file.status_changed"] })).data.id);
    const database = new DatabaseSync(join(folder, "talkback.db"), { timeout: 10_000 });
    context.onEnd(() => database.close());
    const statuses = (database.prepare("select id from file_statuses where deleted_at is null order by id limit 2").all() as { id: number }[]).map(
      ({ id }) => id,
    );
    let changes = 0;
    const changeStatus = () => post("/v1/files/set_status", { file_id: library.file, status_id: statuses[(changes += 1) % 2]! });
    // The first change may be to the status that the file has.
    await changeStatus();
    await changeStatus();
    await receiver.call("waitFor", ENDPOINTS);

    const disable = database.prepare("update webhook_endpoints set enabled = ? where id <> ?");
    const countPending = database.prepare("select count(*) as count from deliveries where state = 'pending'");
    const rounds = context.rounds(4);
    const perRound = (context.isQuick ? 400 : DELIVERIES) / rounds;
    let wrong = 0;
    const deliver = async (): Promise<number> => {
      await receiver.call("reset", undefined);
      queueDeliveries(database, endpoints, perRound);
      const { first } = await receiver.call("waitFor", 1);
      while ((countPending.get() as { count: number }).count > 0) await sleep(10);
      const recordedAt = machineTime();
      const { arrived, distinct } = await receiver.call("waitFor", perRound);
      wrong += arrived - distinct + Math.abs(perRound - distinct);
      return perRound / ((recordedAt - first) / 1_000);
    };
    const { data } = database.prepare("select data from outbound_events where type = 'file.status_changed' limit 1").get() as { data: string };
    const body = `{"object":"event","id":"${randomUUID()}","type":"file.status_changed","data":${data}}`;
    const measured = await context.inTurn(rounds, {
      "bare posts": async () => {
        await receiver.call("reset", undefined);
        return sender.call("post", { base, paths, count: perRound, concurrency: CONCURRENCY, body });
      },
      deliveries: deliver,
    });

    context.log(`${CHANGES} status changes, one after the other`);
    disable.run(0, endpoints[0]!);
    const latencies: number[] = [];
    for (let change = 0; change < (context.isQuick ? 10 : CHANGES); change += 1) {
      await receiver.call("reset", undefined);
      const startedAt = machineTime();
      await changeStatus();
      latencies.push((await receiver.call("waitFor", 1)).first - startedAt);
    }
    // Nobody receives anything from now on.
    database.exec("update webhook_endpoints set enabled = 0");
    await Promise.all([receiver.stop(), sender.stop()]);
    return [
      {
        work: `deliveries to ${ENDPOINTS} endpoints, all recorded`,
        unit: "/s",
        values: measured.deliveries,
        yardstick: { name: "bare signed posts", values: measured["bare posts"] },
        goal: { of: "ratio", better: "higher", must: 0.3, aim: 0.6 },
      },
      { work: "lost or doubled", unit: "", values: [wrong], goal: { of: "value", better: "lower", must: 0 } },
      {
        work: "status change to receiver while idle, p99",
        unit: "ms",
        values: [percentile(latencies, 0.99)],
        goal: { of: "value", better: "lower", must: 1_000, aim: 100 },
        note: `p50 ${percentile(latencies, 0.5).toFixed(0)} ms`,
      },
    ];
  },
};
