/** Tests what is queued when many people are notified at once. */
import { sql, type KyselyPlugin } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Tx } from "../../db/schema.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { confirmAddress, subscribeBrowser } from "../../testing/notification-delivery.ts";
import type { Person } from "../../testing/people.ts";

let key = 0;

describe.each(ENGINES)("queue of notifications on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  /** Each has two browsers and a confirmed address, but the guest, who has none. */
  let people: Person[];
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, owner, admin, member, guest } = fixtures;
    people = [owner, admin, member, guest];
    for (const person of [owner, admin, member]) {
      for (const _ of [1, 2]) await subscribeBrowser(testApp, person.id);
      await confirmAddress(testApp, person);
    }
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => fixtures.testApp.database.write(async (tx) => void (await tx.deleteFrom("notification_deliveries").execute())));

  /** Notifies the people, and returns the number of statements. */
  async function notify(...recipients: Person[]): Promise<number> {
    let count = 0;
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        count += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const { database, app } = fixtures.testApp;
    key += 1;
    const input = { kind: "mention", actorId: null, projectId: null, isRenewed: false, subject: {}, dedupeKey: `test:${key}` } as const;
    await database.write((tx) => app.services.notify(tx.withPlugin(counter) as Tx, [{ ...input, recipientIds: recipients.map(({ id }) => id) }]));
    return count;
  }
  /** Returns `person channel` of each delivery, with the number of its notifications. */
  async function queued(): Promise<string[]> {
    const rows = await fixtures.testApp.database.read
      .selectFrom("notification_deliveries")
      .innerJoin("accounts", "accounts.id", "notification_deliveries.account_id")
      .leftJoin("notification_delivery_items", "delivery_id", "notification_deliveries.id")
      .select(["username", "channel", sql<number>`count(notification_id)`.as("count")])
      .groupBy(["notification_deliveries.id", "username", "channel"])
      .execute();
    return rows.map(({ username, channel, count }) => `${username} ${channel} ${count}`).toSorted();
  }

  it("each person gets a push message to each browser and an email, and whoever has neither gets none", async () => {
    await notify(...people);
    expect(await queued()).toEqual([
      "admin mail 1",
      "admin push 1",
      "admin push 1",
      "member mail 1",
      "member push 1",
      "member push 1",
      "owner mail 1",
      "owner push 1",
      "owner push 1",
    ]);
  });

  it("adds to what waits for the same place, and queues the rest", async () => {
    const { member, owner } = fixtures;
    await notify(member);
    await notify(owner, member);
    expect(await queued()).toEqual(["member mail 2", "member push 2", "member push 2", "owner mail 1", "owner push 1", "owner push 1"]);
  });

  it("takes as many statements for many people as for one", async () => {
    const [one, many] = [await notify(people[0]!), await notify(...people)];
    expect(many).toBe(one);
  });
});
