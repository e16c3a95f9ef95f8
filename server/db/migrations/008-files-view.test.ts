/** Tests that existing files get the new columns, and that entries deleted together are grouped. */
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { nameOrderKey } from "../../../contract/file-order.ts";
import { systemClock } from "../../lib/clock.ts";
import { ENGINES, createTestDatabase } from "../../testing/engines.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";

describe.each(ENGINES)("migration 008-files-view on %s", { timeout: 30_000 }, (engine) => {
  it("fills in the new columns of existing files and groups the files that were deleted together", async () => {
    const data = await createTestDatabase(engine);
    const database = data.open();
    await migrate(
      database,
      systemClock,
      MIGRATIONS.filter(({ name }) => name < "008"),
    );
    const tags = JSON.stringify({ bpm: 127.5, keys: ["F# minor"], genres: [["House", 0.4]], moods: [["Calm", 0.9]], instruments: [["House", 0.2]] });
    await database.write(async (tx) => {
      for (const statement of [
        "insert into organisations (id, name, created_at) values (1, 'o', 1)",
        "insert into teams (id, organisation_id, name, created_at) values (1, 1, 't', 1)",
        "insert into file_statuses (id, team_id, title, color, position) values (7, 1, 'Approved', 1, 4)",
        "insert into accounts (id, organisation_id, role, username, username_key, email, email_key, user_info, created_at) values (1, 1, 'owner', 'a', 'a', 'a', 'a', '', 1), (2, 1, 'member', 'b', 'b', 'b', 'b', '', 1)",
        "insert into projects (id, team_id, name, description, created_at, created_by) values (1, 1, 'p', '', 1, 1)",
        "insert into blobs (key, organisation_id, size, sha256, created_at) values ('k', 1, 9, '', 1)",
        ...[
          "1, null, 1, 'p', '', null, null, null, null",
          "2, 1, 0, 'Mix 10.WAV', 'mix 10.wav', 2, 7, null, null",
          "3, 1, 1, 'Été 2', 'été 2', null, null, null, null",
          // Deleted: a folder with its contents, an entry of it that was deleted earlier, and an entry outside it that was deleted at the same time.
          "4, 1, 1, 'gone', 'gone', null, null, 50, 1",
          "5, 4, 1, 'in', 'in', null, null, 50, 1",
          "6, 5, 0, 'deep', 'deep', null, null, 50, 1",
          "7, 5, 0, 'early', 'early', null, null, 40, 2",
          "8, 1, 0, 'beside', 'beside', null, null, 50, 1",
        ].map(
          (row) =>
            `insert into files (id, parent_id, is_folder, name, name_key, version_id, status_id, deleted_at, deleted_by, project_id, created_by, created_at) values (${row}, 1, 1, 5)`,
        ),
        `insert into file_versions (id, file_id, number, blob_key, size, kind, duration, tags, created_by, created_at)
          values (1, 2, 1, 'k', 3, 'video', 1, null, 1, 10), (2, 2, 2, 'k', 9, 'audio', 2.5, '${tags}', 2, 20)`,
      ])
        await sql.raw(statement).execute(tx);
      // Takes minutes if the cost of each row grows with the number of rows. Only on SQLite, because the plan of PostgreSQL depends on its statistics.
      if (engine === "sqlite")
        await sql`insert into files (id, parent_id, is_folder, name, name_key, deleted_at, deleted_by, project_id, created_by, created_at)
          with recursive n (i) as (select 101 union all select i + 1 from n where i < 8100)
          select i, 5, 0, i, i, 50, 1, 1, 1, 5 from n`.execute(tx);
    });
    const upTo8 = MIGRATIONS.filter(({ name }) => name < "009");
    expect(await migrate(database, systemClock, upTo8)).toEqual(["008-files-view"]);
    const rows = await database.read.selectFrom("files").selectAll().where("id", "<", 100).orderBy("id").execute();
    expect(rows[1]).toMatchObject({
      folded_name: "mix 10.wav",
      order_key: nameOrderKey("Mix 10.WAV", false),
      kind: "audio",
      size: 9,
      duration: 2.5,
      bpm: 127.5,
      music_key: "F# minor",
      tags: '["Calm","House"]',
      changed_at: 20,
      uploader_id: 2,
      status_rank: 4,
      deleted_with: null,
    });
    expect(rows[2]).toMatchObject({
      folded_name: "ete 2",
      kind: "folder",
      size: 0,
      bpm: 0,
      music_key: null,
      tags: "[]",
      changed_at: 5,
      uploader_id: 1,
      status_rank: -1,
    });
    expect(rows.map(({ deleted_with }) => deleted_with)).toEqual([null, null, null, 4, 4, 4, 7, 8]);
    const descendants = database.read.selectFrom("files").where("id", ">", 100).where("deleted_with", "=", 4);
    expect(await descendants.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirst()).toMatchObject(
      engine === "sqlite" ? { count: 8_000 } : { count: 0 },
    );
    expect(await database.read.selectFrom("file_tags").select(["file_id", "tag"]).orderBy("tag").execute()).toEqual([
      { file_id: 2, tag: "Calm" },
      { file_id: 2, tag: "House" },
    ]);
    await database.close();
    await data.drop();
  });
});
