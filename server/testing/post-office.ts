/** Endpoints, events and deliveries straight in the tables, and engines that send them. */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Engine } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import type { NewRow, Row } from "../db/schema.ts";
import { startEngine, type DeliveryEngine, type EngineOptions } from "../delivery/engine.ts";
import { createGuard } from "../delivery/guard.ts";
import { createNames } from "../delivery/names.ts";
import { createSender } from "../delivery/send.ts";
import type { Clock } from "../lib/clock.ts";
import { newTestDatabase, type TestDatabase } from "./engines.ts";

export interface PostOffice {
  database: Database;
  data: TestDatabase;
  /** Ids that live events told of, in order. */
  told: { deliveries: number[]; endpoints: number[] };
  /** Unexpected errors of engines. */
  warnings: unknown[];
  endpoint(url: string, more?: Partial<NewRow<"webhook_endpoints">>): Promise<number>;
  /** An event and a delivery of it, due at once. */
  post(endpointId: number, more?: Partial<NewRow<"deliveries">>): Promise<number>;
  start(more?: Partial<EngineOptions> & { deadlineMs?: number; nameServers?: string[] }): DeliveryEngine;
  delivery(id: number): Promise<Row<"deliveries">>;
  deliveries(): Promise<Row<"deliveries">[]>;
  attempts(id: number): Promise<Row<"delivery_attempts">[]>;
  endpointRow(id: number): Promise<Row<"webhook_endpoints">>;
  /** Waits for a state of the data. */
  until(what: string, test: () => Promise<boolean>, limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

export const DATA = '{"object":"file","name":"F\\u00e4hre 🎛.wav",  "size":1.50}';

export async function openPostOffice(engine: Engine, clock: Clock): Promise<PostOffice> {
  const data = await newTestDatabase(engine);
  const database = data.open();
  await migrate(database, clock);
  const engines: DeliveryEngine[] = [];
  const told: PostOffice["told"] = { deliveries: [], endpoints: [] };
  const warnings: unknown[] = [];
  const { organisation, account } = await database.write(async (tx) => {
    const made = await tx.insertInto("organisations").values({ name: "Northwind", created_at: 0 }).returning("id").executeTakeFirstOrThrow();
    const person = { role: "owner", username: "o", username_key: "o", email: "o@t.test", email_key: "o@t.test", user_info: "", password_hash: null } as const;
    const owner = await tx
      .insertInto("accounts")
      .values({ ...person, organisation_id: made.id, disabled_at: null, last_seen_at: null, created_at: 0 })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { organisation: made.id, account: owner.id };
  });

  const office: PostOffice = {
    database,
    data,
    told,
    warnings,
    async endpoint(url, more = {}) {
      const now = clock.now();
      const row: NewRow<"webhook_endpoints"> = {
        organisation_id: organisation,
        url,
        event_types: '["file.renamed"]',
        description: "",
        enabled: 1,
        secret: `whsec_${randomBytes(32).toString("base64")}`,
        failing_since: null,
        disabled_reason: null,
        disabled_at: null,
        disabled_by: null,
        created_by: account,
        created_at: now,
        updated_at: now,
        deleted_at: null,
        ...more,
      };
      return (await database.write((tx) => tx.insertInto("webhook_endpoints").values(row).returning("id").executeTakeFirstOrThrow())).id;
    },
    post: (endpointId, more = {}) =>
      database.write(async (tx) => {
        const now = clock.now();
        const id = randomUUID();
        await tx.insertInto("outbound_events").values({ id, organisation_id: organisation, type: "file.renamed", data: DATA, created_at: now }).execute();
        const row: NewRow<"deliveries"> = {
          endpoint_id: endpointId,
          event_id: id,
          event_type: "file.renamed",
          is_test: 0,
          by_hand: more.is_test ?? 0,
          state: "pending",
          next_attempt_at: now,
          lease_until: null,
          lease_token: null,
          created_at: now,
          done_at: null,
          ...more,
        };
        return (await tx.insertInto("deliveries").values(row).returning("id").executeTakeFirstOrThrow()).id;
      }),
    start({ deadlineMs = 1_000, nameServers, ...more } = {}) {
      const names = createNames(nameServers ? { servers: nameServers } : {});
      const sender = createSender(createGuard({ allowHttp: true, allowCidrs: ["127.0.0.0/8"] }, names), { clock, deadlineMs });
      const started = startEngine({
        database,
        clock,
        sender,
        tell: {
          deliveries: async (_tx, ids) => void told.deliveries.push(...ids),
          endpoint: async (_tx, id) => void told.endpoints.push(id),
        },
        secretsOf: ({ secret }) => [secret],
        warn: (error) => void warnings.push(error),
        random: () => 0.5,
        lookEveryMs: 50,
        ...more,
      });
      engines.push(started);
      return started;
    },
    delivery: (id) => database.read.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    deliveries: () => database.read.selectFrom("deliveries").selectAll().orderBy("id").execute(),
    attempts: (id) => database.read.selectFrom("delivery_attempts").selectAll().where("delivery_id", "=", id).orderBy("number").execute(),
    endpointRow: (id) => database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    async until(what, test, limitMs = 10_000) {
      const end = performance.now() + limitMs;
      while (!(await test())) {
        if (performance.now() > end) throw new Error(`It did not come about: ${what}. ${JSON.stringify(await office.deliveries())} ${warnings.join()}`);
        await sleep(10);
      }
    },
    async close() {
      await Promise.all(engines.map((one) => one.stop(0)));
      await database.close();
      await data.drop();
    },
  };
  return office;
}
