/** Adds to `files` the columns that listings filter and sort by, with one index per order, and records which entries were deleted together. */
import { sql, type ColumnDefinitionBuilder, type RawBuilder } from "kysely";
import { foldName, nameOrderKey } from "../../../contract/file-order.ts";
import type { Tx } from "../schema.ts";
import { parseTagLabels } from "../tag-labels.ts";
import { type Migration, withDefault } from "./migration.ts";

const BATCH = 1_000;

/** Index columns after the folder or project, one list per order of `FILE_SORTS`. The indexes contain no deleted entries. */
const ORDERS = {
  name: "is_folder, order_key, id",
  changed: "changed_at, id",
  created: "created_at, id",
  size: "size, id",
  duration: "duration, id",
  bpm: "bpm, id",
  status: "status_rank, order_key, id",
  kind: "kind, order_key, id",
};

export const filesView: Migration = {
  name: "008-files-view",
  async up(tx, engine) {
    // Columns with this type are compared by their bytes on both engines.
    const orderedText: RawBuilder<unknown> = engine === "postgres" ? sql`text collate "C"` : sql`text`;
    const addColumn = (
      name: string,
      type: "text" | "integer" | "bigint" | RawBuilder<unknown>,
      build?: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder,
    ) =>
      tx.schema
        .alterTable("files")
        .addColumn(name, type, build ?? ((column) => column))
        .execute();
    await addColumn("deleted_with", "bigint");
    await addColumn("folded_name", "text", withDefault(""));
    await addColumn("order_key", orderedText, withDefault(""));
    await addColumn("kind", orderedText, withDefault("document"));
    await addColumn("size", "bigint", withDefault(0));
    await addColumn("duration", sql`double precision`, withDefault(0));
    await addColumn("bpm", sql`double precision`, withDefault(0));
    await addColumn("music_key", "text");
    await addColumn("tags", "text", withDefault("[]"));
    await addColumn("changed_at", "bigint", withDefault(0));
    await addColumn("uploader_id", "bigint", withDefault(0));
    await addColumn("status_rank", "integer", withDefault(-1));
    await tx.schema
      .createTable("file_tags")
      .addColumn("project_id", "bigint", (column) => column.notNull().references("projects.id"))
      .addColumn("tag", "text", (column) => column.notNull())
      .addColumn("file_id", "bigint", (column) => column.notNull().references("files.id"))
      .addPrimaryKeyConstraint("file_tags_key", ["project_id", "tag", "file_id"])
      .execute();
    await tx.schema.createIndex("file_tags_file").on("file_tags").columns(["file_id", "tag"]).execute();

    await fillFacts(tx);
    await fillDeletionRoots(tx);

    for (const [name, columns] of Object.entries(ORDERS)) {
      // Covers the search by name on SQLite, where a slow query delays all others. On PostgreSQL the index entries could exceed the maximum length.
      const coversSearch = engine === "sqlite" && name === "name";
      const [folderIndexColumns, projectIndexColumns] = coversSearch ? [", folded_name, deleted_at", ", folded_name, parent_id, deleted_at"] : ["", ""];
      await sql`create index ${sql.ref(`files_in_${name}`)} on files (parent_id, ${sql.raw(columns + folderIndexColumns)}) where deleted_at is null`.execute(
        tx,
      );
      await sql`create index ${sql.ref(`files_of_${name}`)} on files (project_id, ${sql.raw(columns + projectIndexColumns)}) where deleted_at is null`.execute(
        tx,
      );
    }
    // SQLite reads the index alone only if it also contains the column of its own condition.
    await sql`create index files_facets on files (project_id, is_folder, kind, status_id, music_key, uploader_id, bpm, deleted_at) where deleted_at is null`.execute(
      tx,
    );
    await sql`create index files_deleted_with on files (deleted_with, parent_id) where deleted_with is not null`.execute(tx);
  },
};

async function fillFacts(tx: Tx): Promise<void> {
  for (let last = 0; ;) {
    const rows = await tx
      .selectFrom("files")
      .leftJoin("file_versions", "file_versions.id", "files.version_id")
      .leftJoin("file_statuses", "file_statuses.id", "files.status_id")
      .select(["files.id", "files.project_id", "files.name", "files.is_folder", "files.created_at", "files.created_by", "file_statuses.position"])
      .select(["files.deleted_at"])
      .select(["file_versions.kind", "file_versions.size", "file_versions.duration", "file_versions.tags"])
      .select(["file_versions.created_at as changed_at", "file_versions.created_by as uploader_id"])
      .where("files.id", ">", last)
      .orderBy("files.id")
      .limit(BATCH)
      .execute();
    for (const row of rows) {
      const { bpm, key, tags } = parseTagLabels(row.tags);
      await tx
        .updateTable("files")
        .set({
          folded_name: foldName(row.name),
          order_key: nameOrderKey(row.name, row.is_folder === 1),
          kind: row.is_folder === 1 ? "folder" : (row.kind ?? "document"),
          size: row.size ?? 0,
          duration: row.duration ?? 0,
          bpm,
          music_key: key,
          tags: JSON.stringify(tags),
          changed_at: row.changed_at ?? row.created_at,
          uploader_id: row.uploader_id ?? row.created_by,
          status_rank: row.position ?? -1,
        })
        .where("id", "=", row.id)
        .execute();
      if (tags.length > 0 && row.deleted_at === null)
        await tx
          .insertInto("file_tags")
          .values(tags.map((tag) => ({ project_id: row.project_id, tag, file_id: row.id })))
          .execute();
    }
    last = rows.at(-1)?.id ?? 0;
    if (rows.length < BATCH) return;
  }
}

/**
 * Sets `deleted_with` of entries that are already deleted: entries with the same time and author, connected by folders, were deleted together,
 * by deleting the topmost one. The temporary index and the cross join, whose order SQLite preserves, keep the cost per row independent of the
 * number of entries deleted at the same time.
 */
async function fillDeletionRoots(tx: Tx): Promise<void> {
  await sql`create index files_acts on files (parent_id, deleted_at) where deleted_at is not null`.execute(tx);
  await sql`with recursive act (id, top) as (
      select files.id, files.id from files left join files as above on above.id = files.parent_id
        where files.deleted_at is not null
          and (above.deleted_at is null or above.deleted_at <> files.deleted_at or coalesce(above.deleted_by, 0) <> coalesce(files.deleted_by, 0))
      union all
      select below.id, act.top from act cross join files as above cross join files as below
        where above.id = act.id and below.parent_id = act.id
          and below.deleted_at = above.deleted_at and coalesce(below.deleted_by, 0) = coalesce(above.deleted_by, 0)
    )
    update files set deleted_with = act.top from act where files.id = +act.id`.execute(tx);
  await sql`drop index files_acts`.execute(tx);
}
