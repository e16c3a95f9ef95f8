/** Delivery test harness: inserts endpoints, events and deliveries into the tables and starts engines that send them. */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Engine } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import type { NewRow, Row } from "../db/schema.ts";
import type { DeliveryEngine } from "../delivery/delivery-loop.ts";
import { startDeliveryEngine, type DeliveryEngineOptions } from "../delivery/engine.ts";
import { createGuard } from "../delivery/guard.ts";
import { createResolver } from "../delivery/resolver.ts";
import { createSender } from "../delivery/send.ts";
import type { Clock } from "../lib/clock.ts";
import { createTestDatabase, type TestDatabase } from "./engines.ts";

export interface DeliveryHarness {
  database: Database;
  testDatabase: TestDatabase;
  /** Ids for which live events were published, in order. */
  published: { deliveries: number[]; endpoints: number[] };
  /** Errors that the engines reported. */
  warnings: unknown[];
  createEndpoint(url: string, overrides?: Partial<NewRow<"webhook_endpoints">>): Promise<number>;
  /** Creates an event and a delivery for it that is due immediately. */
  createDelivery(endpointId: number, overrides?: Partial<NewRow<"deliveries">>): Promise<number>;
  startEngine(overrides?: Partial<DeliveryEngineOptions> & { deadlineMs?: number; nameServers?: string[] }): DeliveryEngine;
  loadDelivery(id: number): Promise<Row<"deliveries">>;
  loadDeliveries(): Promise<Row<"deliveries">[]>;
  loadAttempts(id: number): Promise<Row<"delivery_attempts">[]>;
  loadEndpoint(id: number): Promise<Row<"webhook_endpoints">>;
  /** Polls until the condition is true; throws on timeout. */
  waitUntil(description: string, condition: () => Promise<boolean>, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

export const EVENT_DATA = '{"object":"file","name":"F\\u00e4hre 🎛.wav",  "size":1.50}';

interface Owner {
  accountId: number;
  organizationId: number;
}

const insertOwner = (database: Database): Promise<Owner> =>
  database.write(async (tx) => {
    const organization = await tx.insertInto("organisations").values({ name: "Northwind", created_at: 0 }).returning("id").executeTakeFirstOrThrow();
    const row: NewRow<"accounts"> = {
      organisation_id: organization.id,
      role: "owner",
      username: "o",
      username_key: "o",
      email: "o@t.test",
      email_key: "o@t.test",
      user_info: "",
      password_hash: null,
      disabled_at: null,
      last_seen_at: null,
      created_at: 0,
    };
    const account = await tx.insertInto("accounts").values(row).returning("id").executeTakeFirstOrThrow();
    return { accountId: account.id, organizationId: organization.id };
  });

const endpointRow = ({ accountId, organizationId }: Owner, url: string, now: number): NewRow<"webhook_endpoints"> => ({
  organisation_id: organizationId,
  url,
  event_types: '["file.renamed"]',
  description: "",
  enabled: 1,
  secret: `whsec_${randomBytes(32).toString("base64")}`,
  failing_since: null,
  disabled_reason: null,
  disabled_at: null,
  disabled_by: null,
  created_by: accountId,
  created_at: now,
  updated_at: now,
  deleted_at: null,
});

const deliveryRow = (endpointId: number, eventId: string, now: number): NewRow<"deliveries"> => ({
  endpoint_id: endpointId,
  event_id: eventId,
  event_type: "file.renamed",
  is_test: 0,
  by_hand: 0,
  state: "pending",
  next_attempt_at: now,
  lease_until: null,
  lease_token: null,
  created_at: now,
  done_at: null,
});

export async function openDeliveryHarness(engine: Engine, clock: Clock): Promise<DeliveryHarness> {
  const testDatabase = await createTestDatabase(engine);
  const database = testDatabase.open();
  await migrate(database, clock);
  const engines: DeliveryEngine[] = [];
  const published: DeliveryHarness["published"] = { deliveries: [], endpoints: [] };
  const warnings: unknown[] = [];
  const owner = await insertOwner(database);

  const harness: DeliveryHarness = {
    database,
    testDatabase,
    published,
    warnings,
    createEndpoint: (url, overrides = {}) =>
      database.write(async (tx) => {
        const row = { ...endpointRow(owner, url, clock.now()), ...overrides };
        return (await tx.insertInto("webhook_endpoints").values(row).returning("id").executeTakeFirstOrThrow()).id;
      }),
    createDelivery: (endpointId, overrides = {}) =>
      database.write(async (tx) => {
        const [id, now] = [randomUUID(), clock.now()];
        const event = { id, organisation_id: owner.organizationId, type: "file.renamed", data: EVENT_DATA, created_at: now };
        await tx.insertInto("outbound_events").values(event).execute();
        const row = { ...deliveryRow(endpointId, id, now), by_hand: overrides.is_test ?? 0, ...overrides };
        return (await tx.insertInto("deliveries").values(row).returning("id").executeTakeFirstOrThrow()).id;
      }),
    startEngine({ deadlineMs = 1_000, nameServers, ...overrides } = {}) {
      const names = createResolver(nameServers ? { servers: nameServers } : {});
      const sender = createSender(createGuard({ allowHttp: true, allowCidrs: ["127.0.0.0/8"] }, names), { clock, deadlineMs });
      const deliveryEngine = startDeliveryEngine({
        database,
        clock,
        sender,
        publisher: {
          publishDeliveries: async (_tx, ids) => void published.deliveries.push(...ids),
          publishEndpoint: async (_tx, id) => void published.endpoints.push(id),
          publishDisabled: async () => {},
        },
        decryptSecrets: ({ secret }) => [secret],
        warn: (error) => void warnings.push(error),
        random: () => 0.5,
        pollIntervalMs: 50,
        ...overrides,
      });
      engines.push(deliveryEngine);
      return deliveryEngine;
    },
    loadDelivery: (id) => database.read.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    loadDeliveries: () => database.read.selectFrom("deliveries").selectAll().orderBy("id").execute(),
    loadAttempts: (id) => database.read.selectFrom("delivery_attempts").selectAll().where("delivery_id", "=", id).orderBy("number").execute(),
    loadEndpoint: (id) => database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    async waitUntil(description, condition, timeoutMs = 10_000) {
      const deadline = performance.now() + timeoutMs;
      while (!(await condition())) {
        if (performance.now() > deadline)
          throw new Error(`Timed out waiting until ${description}. ${JSON.stringify(await harness.loadDeliveries())} ${warnings.join()}`);
        await sleep(10);
      }
    },
    async close() {
      await Promise.all(engines.map((deliveryEngine) => deliveryEngine.stop(0)));
      await database.close();
      await testDatabase.drop();
    },
  };
  return harness;
}
