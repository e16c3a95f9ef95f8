/** Inserts what tests of favorites and recent items refer to. */
import type { TestApp } from "./test-app.ts";

export const insertPlaylist = async ({ database }: TestApp, project_id: number, created_by: number): Promise<number> =>
  (
    await database.write((tx) =>
      tx
        .insertInto("playlists")
        .values({ project_id, name: "For the label", created_by, created_at: 1, updated_at: 1 })
        .returning("id")
        .executeTakeFirstOrThrow(),
    )
  ).id;
