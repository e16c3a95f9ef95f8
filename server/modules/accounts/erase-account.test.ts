/** Tests what erasing an account leaves: no trace of its own, what others still have of it, and always an owner. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeComment } from "../../../contract/operations/comments.ts";
import { listNotifications } from "../../../contract/operations/notifications.ts";
import { createSignals } from "../../events/signals.ts";
import { createEventLog } from "../../events/log.ts";
import { insertAnyRow } from "../../testing/database-rows.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openStorage } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { joinTeam, type Person } from "../../testing/people.ts";
import { publishUnread } from "../notifications/notify.ts";
import { eraseAccount, type EraseAccountDeps, KEPT_ROWS, OWN_ROWS } from "./erase-account.ts";

describe.each(ENGINES)("erasing an account on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let sequence = 0;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const join = (): Promise<Person> =>
    joinTeam(fixtures.testApp, fixtures.owner, `person ${++sequence}`, { team: fixtures.home.team, role: "member", projects: [fixtures.home.project] });
  const erase = (id: number) => {
    const { testApp } = fixtures;
    const { database, clock } = testApp;
    const events = createEventLog(database, clock);
    const signals = createSignals(database, events.origin);
    const nothing = { onWebhookEvent: () => Promise.resolve(), onTokensWeakened: () => Promise.resolve([]) };
    const publish: EraseAccountDeps["publishUnread"] = (tx, accountIds) => publishUnread(tx, events, accountIds);
    return eraseAccount({ publishUnread: publish, database, clock, events, signals, publicUrl: "", storage: openStorage(testApp), ...nothing }, id);
  };
  const find = (id: number) => fixtures.testApp.database.read.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();

  it("refuses the last enabled owner, with everything of theirs as it was", async () => {
    const { testApp, owner } = fixtures;
    const { id } = await join();
    const role = { role: "owner" as const, disabled_at: 1 };
    await testApp.database.write((tx) => tx.updateTable("accounts").set(role).where("id", "=", id).execute());
    const picture = await testApp.database.write((tx) => insertAnyRow(tx, "avatars", { account_id: owner.id }));
    await expect(erase(owner.id)).rejects.toThrow("is the only owner left");
    expect(await find(owner.id)).toMatchObject({ role: "owner", disabled_at: null });
    expect(await testApp.database.read.selectFrom("avatars").select("id").where("account_id", "=", owner.id).execute()).toEqual([{ id: picture }]);
    // A disabled owner is none.
    expect(await erase(id)).toBe("erased");
    expect(await erase(id)).toBe("absent");
  });

  it("takes mentions of the person, and what others were told of them, whose numbers follow", async () => {
    const { testApp, owner, member, home } = fixtures;
    const { read } = testApp.database;
    const { id } = await join();
    await testApp.call(member, writeComment, { params: { file_id: home.file }, body: { body: `Ask <@${id}>` } });
    const values = { kind: "mention" as const, project_id: home.project, actor_id: id, in_app: 1 };
    await testApp.database.write((tx) => insertAnyRow(tx, "notifications", { ...values, account_id: owner.id, dedupe_key: "test" }));
    const unreadCounts = () =>
      read.selectFrom("events").select("data").where("topic", "=", `account:${owner.id}`).where("type", "=", "notifications.changed").orderBy("seq").execute();
    const before = await unreadCounts();

    expect(await erase(id)).toBe("erased");
    expect(await find(id)).toBeUndefined();
    expect(await read.selectFrom("notifications").select("id").where("actor_id", "=", id).execute()).toEqual([]);
    const { unread_count } = (await testApp.call(owner, listNotifications, { query: {} })).response;
    expect((await unreadCounts()).slice(before.length)).toEqual([{ data: JSON.stringify({ unread_count }) }]);
  });

  it("knows every reference to accounts", async () => {
    const { read } = fixtures.testApp.database;
    const references: string[] = [];
    for (const { name } of await read.introspection.getTables()) {
      const { rows } =
        engine === "sqlite"
          ? await sql<{
              column: string;
            }>`select "from" as "column" from pragma_foreign_key_list(${name}) where "table" = 'accounts' and on_delete <> 'CASCADE'`.execute(read)
          : await sql<{ column: string }>`select attname as "column" from pg_constraint
              join pg_attribute on attrelid = conrelid and attnum = any(conkey)
              where contype = 'f' and confdeltype <> 'c' and confrelid = 'accounts'::regclass and conrelid = ${name}::regclass`.execute(read);
      references.push(...rows.map(({ column }) => `${name}.${column}`));
    }
    const listed = new Set([...OWN_ROWS, ...KEPT_ROWS].map(([table, column]) => `${table}.${column}`));
    expect(listed.size).toBe(OWN_ROWS.length + KEPT_ROWS.length);
    expect(references.filter((reference) => !listed.has(reference))).toEqual([]);
    const known = new Set(references);
    // What is kept must be what the database would refuse to lose.
    expect(KEPT_ROWS.map(([table, column]) => `${table}.${column}`).filter((reference) => !known.has(reference))).toEqual([]);
  });
});
