/** Every key that a row speaks of: originals, streaming copies, stills, thumbnails and levels of peaks. */
import type { Db, Row } from "../../db/schema.ts";
import { parsed } from "../../presenters/files.ts";
import type { Peaks } from "./versions.ts";

const AT_ONCE = 500;

export const KEY_COLUMNS = ["blob_key", "compressed_key", "still_key", "thumbnail_key", "peaks"] as const;
type Keyed = Pick<Row<"file_versions">, (typeof KEY_COLUMNS)[number]>;

/** Of one version, each with what it is. */
export function keysOf(version: Keyed): { key: string; what: string }[] {
  const { blob_key, compressed_key, still_key, thumbnail_key } = version;
  const levels = (parsed<Peaks>(version.peaks)?.levels ?? []).map(({ key }, level) => ({ key, what: `peaks level ${level}` }));
  const named = [
    { key: blob_key, what: "original" },
    { key: compressed_key, what: "streaming copy" },
    { key: still_key, what: "still" },
    { key: thumbnail_key, what: "thumbnail" },
  ];
  return [...named.flatMap(({ key, what }) => (key === null ? [] : [{ key, what }])), ...levels];
}

/** In the order of versions; without those whose bytes were removed for good. */
export async function* recordedKeys(db: Db): AsyncGenerator<{ key: string; what: string }> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom("file_versions")
      .innerJoin("blobs", "blobs.key", "file_versions.blob_key")
      .innerJoin("files", "files.id", "file_versions.file_id")
      .select(["file_versions.id", "file_versions.number", "files.name", "file_versions.file_id"])
      .select(KEY_COLUMNS.map((column) => `file_versions.${column}` as const))
      .where("blobs.deleted_at", "is", null)
      .where("file_versions.id", ">", after)
      .orderBy("file_versions.id")
      .limit(AT_ONCE)
      .execute();
    for (const row of rows)
      for (const { key, what } of keysOf(row)) yield { key, what: `${what} of file ${row.file_id} ("${row.name}"), version ${row.number}` };
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.id;
  }
}
