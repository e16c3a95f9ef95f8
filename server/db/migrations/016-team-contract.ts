/** Adds final statuses, the team's setting for the status of new versions, unique names of groups, and an index of deleted messages without text. */
import { sql } from "kysely";
import type { Tx } from "../schema.ts";
import { type Migration, withDefault } from "./migration.ts";

export const teamContract: Migration = {
  name: "016-team-contract",
  async up(tx) {
    await tx.schema.alterTable("teams").addColumn("new_version_resets_status", "integer", withDefault(1)).execute();
    await tx.schema.alterTable("file_statuses").addColumn("is_final", "integer", withDefault(0)).execute();
    await sql`update file_statuses set is_final = 1 where title_key = 'approved'`.execute(tx);
    await tx.schema.alterTable("project_groups").addColumn("name_key", "text", withDefault("")).execute();
    await fillGroupNameKeys(tx);
    await tx.schema.createIndex("project_groups_name").on("project_groups").columns(["team_id", "name_key"]).unique().execute();
    await tx.schema.dropIndex("project_groups_team").execute();
    await sql`create index messages_without_text on messages (deleted_at) where deleted_at is not null and body = ''`.execute(tx);
  },
};

const MAX_NAME_CHARACTERS = 120;

/** Must not change: the keys of later versions may differ, and a database is migrated once. */
const nameKey = (name: string): string => name.normalize("NFKC").toLowerCase().normalize("NFKC");

function firstFreeName(name: string, isFree: (key: string) => boolean): string {
  for (let number = 2; ; number += 1) {
    const suffix = ` (${number})`;
    const candidate = `${[...name].slice(0, MAX_NAME_CHARACTERS - suffix.length).join("")}${suffix}`;
    if (isFree(nameKey(candidate))) return candidate;
  }
}

/** The oldest group keeps its name; groups of the same team with an equal name get the first free number, as in "Singles (2)". */
async function fillGroupNameKeys(tx: Tx): Promise<void> {
  const groups = await tx.selectFrom("project_groups").select(["id", "team_id", "name"]).orderBy("id").execute();
  for (const teamGroups of Map.groupBy(groups, ({ team_id }) => team_id).values()) {
    const originalKeys = new Set(teamGroups.map(({ name }) => nameKey(name)));
    const takenKeys = new Set<string>();
    for (const { id, name } of teamGroups) {
      const uniqueName = takenKeys.has(nameKey(name)) ? firstFreeName(name, (key) => !takenKeys.has(key) && !originalKeys.has(key)) : name;
      takenKeys.add(nameKey(uniqueName));
      await tx
        .updateTable("project_groups")
        .set({ name: uniqueName, name_key: nameKey(uniqueName) })
        .where("id", "=", id)
        .execute();
    }
  }
}
