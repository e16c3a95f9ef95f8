/**
 * Records which API token a webhook endpoint depends on, so that the endpoint ends with it; endpoints from before count as set up in a browser. Gives all
 * names the keys of one rule, and lets a group be without one on PostgreSQL, where a process of an older version may still be running and inserts none.
 */
import { sql } from "kysely";
import type { Tx } from "../schema.ts";
import type { Migration } from "./migration.ts";

export const tokensAndNameKeys: Migration = {
  name: "018-tokens-and-name-keys",
  async up(tx, engine) {
    await tx.schema.alterTable("webhook_endpoints").addColumn("token_id", "bigint").execute();
    await tx.schema.createIndex("webhook_endpoints_token").on("webhook_endpoints").column("token_id").where(sql.ref("token_id"), "is not", null).execute();
    // SQLite has one process, which is the one that migrates.
    if (engine === "postgres") {
      await sql`alter table project_groups alter column name_key drop default, alter column name_key drop not null`.execute(tx);
      await sql`update project_groups set name_key = null where name_key = ''`.execute(tx);
    }
    for (const stored of STORED_KEYS) await renewKeys(tx, stored);
  },
};

/** The columns with keys of names, and what they are unique within. */
const STORED_KEYS = [
  { table: "accounts", key: "username_key", scope: "1" },
  { table: "accounts", key: "email_key", scope: "organisation_id" },
  { table: "file_statuses", key: "title_key", scope: "team_id" },
  { table: "task_templates", key: "name_key", scope: "team_id" },
];

/** Must not change: the keys of later versions may differ, and a database is migrated once. */
const normalizeKey = (key: string): string => key.trim().normalize("NFKC").toLowerCase().normalize("NFKC");

/** Where another name has the new key already, the old one stays: such names were different before, and may stay. */
async function renewKeys(tx: Tx, { table, key, scope }: (typeof STORED_KEYS)[number]): Promise<void> {
  const { rows } = await sql<{ id: number; scope: number; key: string }>`
    select id, ${sql.raw(scope)} as scope, ${sql.ref(key)} as key from ${sql.table(table)} order by id`.execute(tx);
  const taken = new Set(rows.map((row) => `${row.scope} ${row.key}`));
  for (const row of rows) {
    const renewed = normalizeKey(row.key);
    if (taken.has(`${row.scope} ${renewed}`)) continue;
    taken.add(`${row.scope} ${renewed}`);
    await sql`update ${sql.table(table)} set ${sql.ref(key)} = ${renewed} where id = ${row.id}`.execute(tx);
  }
}
