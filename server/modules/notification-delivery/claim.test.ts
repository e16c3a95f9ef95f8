/** Tests which deliveries are claimed when more are due than take part, and how long a claim lasts. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LEASE_MS } from "../../delivery/leases.ts";
import { MAIL_DEADLINE_MS } from "../../delivery/send-mail.ts";
import { MINUTE, SECOND } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { claim, type Channel } from "./claim.ts";

describe.each(ENGINES)("claims of notifications on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  afterEach(() => database().write((tx) => tx.deleteFrom("notification_deliveries").execute()));

  const database = () => fixtures.testApp.database;
  const now = () => fixtures.testApp.clock.now();

  /** Queues deliveries of an account, the first of which has been due for `ageMs`. */
  async function queue(accountId: number, channel: Channel, { count = 1, ageMs = 0 } = {}): Promise<number[]> {
    const rows = Array.from({ length: count }, (_, index) => ({
      account_id: accountId,
      channel,
      subscription_id: null,
      is_test: 0 as const,
      is_digest: 0 as const,
      state: "pending" as const,
      next_attempt_at: now() - ageMs + index,
      lease_until: null,
      lease_token: null,
      created_at: now(),
    }));
    return (await database().write((tx) => tx.insertInto("notification_deliveries").values(rows).returning("id").execute())).map(({ id }) => id);
  }
  /** Claims as a process that has nothing in flight. */
  const claimDue = (channel: Channel, count = 64) => database().write((tx) => claim(tx, engine, channel, now(), { count, ownIds: [] }));
  const finish = (ids: readonly number[]) =>
    database().write((tx) =>
      tx
        .updateTable("notification_deliveries")
        .set({ state: "sent", next_attempt_at: null, lease_until: null, lease_token: null })
        .where("id", "in", ids)
        .execute(),
    );
  /** Lets time pass for leases: PostgreSQL measures them with its own clock. */
  const ageLeases = (ms: number) =>
    database().write((tx) =>
      tx
        .updateTable("notification_deliveries")
        .set(({ eb }) => ({ lease_until: eb("lease_until", "-", ms) }))
        .execute(),
    );

  test("an account with very many due deliveries delays nobody, and all of them are claimed once", async () => {
    const { member, guest } = fixtures;
    // More than take part in one claim, and all of them due before the others'.
    const many = await queue(member.id, "push", { count: 300, ageMs: MINUTE });
    const few = await queue(guest.id, "push", { count: 3 });
    fixtures.testApp.clock.advance(SECOND);
    expect((await claimDue("push")).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(many.slice(0, 4));
    expect((await claimDue("push")).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(few);
    expect(await claimDue("push")).toEqual([]);
    await finish([...many.slice(0, 4), ...few]);

    const claimed: number[] = [];
    for (let ids = [0]; ids.length > 0;) {
      ids = (await claimDue("push")).map(({ id }) => id);
      claimed.push(...ids);
      if (ids.length > 0) await finish(ids);
    }
    expect(claimed).toHaveLength(296);
    expect(claimed.toSorted((a, b) => a - b)).toEqual(many.slice(4));
  });

  test("a claim returns the oldest of each account before the second oldest of any", async () => {
    const { owner, member, guest } = fixtures;
    const [first] = await queue(member.id, "mail", { count: 4, ageMs: MINUTE });
    const [second] = await queue(guest.id, "mail", { ageMs: SECOND });
    const [third] = await queue(owner.id, "mail");
    expect((await claimDue("mail", 3)).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([first, second, third]);
  });

  test.each([
    ["push", LEASE_MS],
    ["mail", MAIL_DEADLINE_MS + MINUTE],
  ] as const)("a claimed %s delivery is claimed again once its lease of %i ms is over, not before", async (channel, leaseMs) => {
    const [id] = await queue(fixtures.member.id, channel);
    const [before] = await claimDue(channel);
    expect(before).toMatchObject({ id, attempts: 1 });
    await ageLeases(leaseMs - 10 * SECOND);
    expect(await claimDue(channel)).toEqual([]);
    await ageLeases(20 * SECOND);
    const [after] = await claimDue(channel);
    expect(after).toMatchObject({ id, attempts: 2 });
    expect(after!.lease_token).not.toBe(before!.lease_token);
  });

  test("a lease outlasts an email that the SMTP server takes all its time to accept", async () => {
    await queue(fixtures.member.id, "mail");
    await claimDue("mail");
    await ageLeases(MAIL_DEADLINE_MS);
    expect(await claimDue("mail")).toEqual([]);
  });
});
