/** Kills the real service repeatedly while it sends events to an agent: none is lost, none is stored twice, and they come in their order. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { reportFaults } from "../../testing/fault-counts.ts";
import { agentEvent } from "../../../contract/agent-subscription-records.ts";
import { ENGINES } from "../../testing/engines.ts";
import { startServiceWithAgent } from "../../testing/killed-service.ts";
import { startReceiver } from "../../testing/receiver.ts";
import { getFaultRounds } from "../../testing/service-process.ts";

const ROUNDS = getFaultRounds(3);
const MESSAGES_PER_ROUND = 30;

test.each(ENGINES)(
  `a service on %s that is killed ${ROUNDS} times sends every event of an agent, and stores each once`,
  { timeout: 600_000 },
  async (engine) => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const environment = { WEBHOOK_ALLOW_HTTP: "on", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };
    const { database, project, agent, call, ...service } = await startServiceWithAgent(engine, environment);
    const body = { event_types: ["message.created"], url: `${receiver.base}/agent` };
    const { id } = (await call("POST", `/api/v2/agents/${agent}/event-subscriptions`, body)).data;
    const stored = () =>
      database.read
        .selectFrom("deliveries")
        .innerJoin("outbound_events", "outbound_events.id", "deliveries.event_id")
        .select(["deliveries.state", "outbound_events.id", "outbound_events.data"])
        .where("endpoint_id", "=", id)
        .orderBy("deliveries.id")
        .execute();
    const confirmed: string[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const writing = (async () => {
        for (let index = 0; index < MESSAGES_PER_ROUND; index += 1) {
          const text = `Round ${round}, message ${index}`;
          const sent = await call("POST", "/v1/account/projects/chat_message", { project_id: project.id, body: text }).catch(() => null);
          if (!sent?.data) return;
          confirmed.push(text);
        }
      })();
      const before = receiver.requests.length;
      while (receiver.requests.length < before + 5) await pause(5);
      await service.kill();
      await writing;
      // On PostgreSQL a killed service's lease must expire, since another service might still hold it; this skips that minute.
      await database.write((tx) => tx.updateTable("deliveries").set({ lease_until: 1 }).where("lease_until", "is not", null).execute());
      await service.startAgain();
    }
    const bodiesOf = (events: string[]) => events.map((event) => (JSON.parse(event) as { data: { body: string } }).data.body);
    const last = `Last ${engine}`;
    await call("POST", "/v1/account/projects/chat_message", { project_id: project.id, body: last });
    for (;;) {
      const rows = await stored();
      if (bodiesOf(rows.map(({ data: event }) => event)).includes(last) && rows.every(({ state }) => state === "delivered")) break;
      await pause(20);
    }
    const rows = await stored();
    const messages = await database.read.selectFrom("messages").select("body").where("project_id", "=", project.id).orderBy("id").execute();
    const sentIds = receiver.requests.map((request) => agentEvent.parse(JSON.parse(request.body)).id);
    const storedBodies = bodiesOf(rows.map(({ data: event }) => event));
    reportFaults("killed: events of agents", engine, {
      broken: ROUNDS,
      acknowledged: confirmed.length,
      lost: confirmed.filter((text) => !storedBodies.includes(text)).length + rows.filter((row) => !sentIds.includes(row.id)).length,
      doubled: storedBodies.length - new Set(storedBodies).size,
      repeated: sentIds.length - new Set(sentIds).size,
    });
    // Each message once, in the order in which they were written.
    expect(bodiesOf(rows.map(({ data: event }) => event))).toEqual(messages.map((message) => message.body));
    for (const text of confirmed) expect(messages.some((message) => message.body === text)).toBe(true);
    expect(confirmed.length).toBeGreaterThan(ROUNDS);
    expect(new Set(sentIds)).toEqual(new Set(rows.map((row) => row.id)));
  },
);
