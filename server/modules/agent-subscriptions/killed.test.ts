/** Kills the real service repeatedly while it sends events to an agent: none is lost, none is stored twice, and they come in their order. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { agentEvent } from "../../../contract/agent-subscription-records.ts";
import type { Database } from "../../db/database.ts";
import { systemClock } from "../../lib/clock.ts";
import { createAgent } from "../../testing/agents.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../../testing/engines.ts";
import { sendRawRequest } from "../../testing/raw-socket.ts";
import { startReceiver, type Receiver } from "../../testing/receiver.ts";
import { createOwner, type Environment, getFaultRounds, type ServiceProcess, startService } from "../../testing/service-process.ts";

const ROUNDS = getFaultRounds(3);
const MESSAGES_PER_ROUND = 30;

describe.each(ENGINES)("events for agents on %s", { timeout: 120_000 }, (engine) => {
  let dataDir: string;
  let data: TestDatabase;
  let database: Database;
  let receiver: Receiver;
  let service: ServiceProcess | null = null;
  let environment: Environment;
  beforeEach(async () => {
    receiver = await startReceiver();
    data = await createTestDatabase(engine);
    dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
    environment = {
      WEBHOOK_ALLOW_HTTP: "on",
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      RATE_LIMIT: "0",
      ...(engine === "postgres" ? { DATABASE_URL: data.location } : {}),
    };
  }, 60_000);
  afterEach(async () => {
    await service?.kill();
    await receiver.close();
    await database.close();
    await data.drop();
    if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
  });

  test(`a service that is killed ${ROUNDS} times sends every event, and stores each once`, async () => {
    const owner = await createOwner(dataDir, environment);
    database = data.open();
    service = await startService(dataDir, environment);
    const call = async (method: string, path: string, body: object) =>
      (await sendRawRequest(service!.base, owner, { method, path, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) }))
        .json;
    const [team] = (await call("POST", "/v1/teams/ls", {})).data;
    const project = (await call("POST", "/v1/account/projects/create", { name: "Song", team_id: team.id })).data;
    const { id: ownerId } = await database.read.selectFrom("accounts").select("id").executeTakeFirstOrThrow();
    const agent = await createAgent({ database, clock: systemClock }, { createdBy: { id: ownerId }, projects: [project.id] });
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
      service = await startService(dataDir, environment);
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
    // Each message once, in the order in which they were written.
    expect(bodiesOf(rows.map(({ data: event }) => event))).toEqual(messages.map((message) => message.body));
    for (const text of confirmed) expect(messages.some((message) => message.body === text)).toBe(true);
    expect(confirmed.length).toBeGreaterThan(ROUNDS);
    const receivedIds = receiver.requests.map((request) => agentEvent.parse(JSON.parse(request.body)).id);
    expect(new Set(receivedIds)).toEqual(new Set(rows.map((row) => row.id)));
  });
});
