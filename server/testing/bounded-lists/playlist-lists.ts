/** Limits of playlists, filled with the longest records. */
import { LIMITS } from "../../../contract/limits.ts";
import { operations } from "../../../contract/operations/all.ts";
import type { Tx } from "../../db/schema.ts";
import type { Fixtures } from "../fixtures.ts";
import { range } from "./fill.ts";
import type { LimitCase } from "./limited-lists.ts";

const LONG_NAME = "\u{1F3B5}".repeat(LIMITS.playlist_name_characters);

async function insertPlaylists(tx: Tx, { home, member }: Fixtures, count: number): Promise<number[]> {
  const row = { project_id: home.project, name: LONG_NAME, created_by: member.id, created_at: 1, updated_at: 1 };
  const rows = await tx
    .insertInto("playlists")
    .values(range(count, () => row))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Inserts a playlist with as many files as it can have, each with the longest name and waveform. */
async function fillPlaylist(tx: Tx, fixtures: Fixtures, id: number): Promise<void> {
  const { home, member } = fixtures;
  const wave = JSON.stringify(range(200, (index) => Number((0.123 + index / 1_000).toFixed(3))));
  await tx
    .updateTable("file_versions")
    .set({ short_wave: wave, failure: "x".repeat(500) })
    .where("file_id", "=", home.file)
    .execute();
  await tx
    .updateTable("files")
    .set({ name: `${"\u{1F3B5}".repeat(120)}.wav` })
    .where("id", "=", home.file)
    .execute();
  const row = { playlist_id: id, file_id: home.file, version_id: null, added_by: member.id, added_at: 1 };
  await tx
    .insertInto("playlist_items")
    .values(range(LIMITS.playlist_items, (position) => ({ ...row, position })))
    .execute();
}

const FULL_PLAYLIST = 700_000;

export const PLAYLIST_LIMITS: [string, LimitCase][] = [
  [
    "listPlaylistItems",
    {
      limit: LIMITS.playlist_items,
      async fill(tx, fixtures) {
        const row = { id: FULL_PLAYLIST, project_id: fixtures.home.project, name: LONG_NAME, created_by: fixtures.member.id, created_at: 1, updated_at: 1 };
        await tx.insertInto("playlists").values(row).execute();
        await fillPlaylist(tx, fixtures, FULL_PLAYLIST);
      },
      list: [operations.listPlaylistItems, { params: { playlist_id: FULL_PLAYLIST } }],
      create: [operations.addPlaylistItems, ({ home }) => ({ params: { playlist_id: FULL_PLAYLIST }, body: { items: [{ file_id: home.file }] } })],
      denial: /^A playlist can have at most 200 files\.$/,
    },
  ],
  [
    "playlists of a project",
    {
      limit: LIMITS.playlists_per_project,
      fill: (tx, fixtures) => insertPlaylists(tx, fixtures, LIMITS.playlists_per_project),
      create: [operations.createPlaylist, ({ home }) => ({ body: { project_id: home.project, name: "One more" } })],
      denial: /^A project can have at most 1,000 playlists\. Delete one first\.$/,
    },
  ],
];
