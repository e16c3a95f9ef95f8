/** Lists every blob key in version rows: originals, streaming copies, stills, thumbnails and peaks levels. */
import type { Db, Row } from "../../db/schema.ts";
import { parseJson, type Peaks } from "./stored-analysis.ts";

const BATCH_SIZE = 500;

export const KEY_COLUMNS = ["blob_key", "compressed_key", "still_key", "thumbnail_key", "peaks"] as const;
type KeyColumns = Pick<Row<"file_versions">, (typeof KEY_COLUMNS)[number]>;

/** Returns the keys of one version, each with a description. */
export function keysOf(version: KeyColumns): { key: string; description: string }[] {
  const { blob_key, compressed_key, still_key, thumbnail_key } = version;
  const levels = (parseJson<Peaks>(version.peaks)?.levels ?? []).map(({ key }, level) => ({ key, description: `peaks level ${level}` }));
  const columnKeys = [
    { key: blob_key, description: "original" },
    { key: compressed_key, description: "streaming copy" },
    { key: still_key, description: "still" },
    { key: thumbnail_key, description: "thumbnail" },
  ];
  return [...columnKeys.flatMap(({ key, description }) => (key === null ? [] : [{ key, description }])), ...levels];
}

/** Yields the keys of all versions in id order, except versions whose bytes were removed after the retention time. */
export async function* recordedKeys(db: Db): AsyncGenerator<{ key: string; description: string }> {
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
      .limit(BATCH_SIZE)
      .execute();
    for (const row of rows)
      for (const { key, description } of keysOf(row))
        yield { key, description: `${description} of file ${row.file_id} ("${row.name}"), version ${row.number}` };
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    after = last.id;
  }
}
