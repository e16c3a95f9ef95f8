/** Tests that groups with equal names get numbers, and that statuses titled Approved become final. */
import { describe, expect, it } from "vitest";
import { sql } from "kysely";
import { systemClock } from "../../lib/clock.ts";
import { ENGINES, createTestDatabase } from "../../testing/engines.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";

describe.each(ENGINES)("migration 016-team-contract on %s", { timeout: 30_000 }, (engine) => {
  it("numbers groups of one team whose names are equal, and makes Approved final", async () => {
    const data = await createTestDatabase(engine);
    const database = data.open();
    await migrate(
      database,
      systemClock,
      MIGRATIONS.filter(({ name }) => name < "016"),
    );
    const names = ["Singles", "SINGLES", "Albums", "singles (2)", "Ｓingles", "Albums"];
    await database.write(async (tx) => {
      for (const statement of [
        "insert into organisations (id, name, created_at) values (1, 'o', 1)",
        "insert into teams (id, organisation_id, name, created_at) values (1, 1, 't', 1), (2, 1, 'u', 1)",
        "insert into file_statuses (id, team_id, title, title_key, color, position) values (1, 1, 'APPROVED', 'approved', 1, 1), (2, 1, 'Approved soon', 'approved soon', 1, 2)",
        ...names.map((name, index) => `insert into project_groups (id, team_id, name, created_at) values (${index + 1}, 1, '${name}', 1)`),
        "insert into project_groups (id, team_id, name, created_at) values (7, 2, 'Singles', 1)",
      ])
        await sql.raw(statement).execute(tx);
    });
    await migrate(database, systemClock);
    const groups = await database.read.selectFrom("project_groups").select(["name", "name_key"]).orderBy("id").execute();
    expect(groups.map(({ name }) => name)).toEqual(["Singles", "SINGLES (3)", "Albums", "singles (2)", "Ｓingles (4)", "Albums (2)", "Singles"]);
    expect(groups[4]?.name_key).toBe("singles (4)");
    const insert = () =>
      database.write((tx) => tx.insertInto("project_groups").values({ team_id: 1, name: "x", name_key: "albums", description: "", created_at: 1 }).execute());
    await expect(insert()).rejects.toThrow();
    expect(await database.read.selectFrom("file_statuses").select("is_final").orderBy("id").execute()).toEqual([{ is_final: 1 }, { is_final: 0 }]);
    expect(await database.read.selectFrom("teams").select("new_version_resets_status").execute()).toEqual([
      { new_version_resets_status: 1 },
      { new_version_resets_status: 1 },
    ]);
    await database.close();
    await data.drop();
  });
});
