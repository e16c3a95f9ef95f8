/** Creates the tables and the index of the text in files, reads that of existing audio from its tags, and queues existing documents for reading. */
import { sql } from "kysely";
import { findAnnotationTexts } from "../annotation-texts.ts";
import { createTableWithId } from "../engine-sql.ts";
import type { Engine } from "../database.ts";
import type { Tx } from "../schema.ts";
import { fillRecordIndex } from "../search-documents.ts";
import { createSearchIndex } from "../search-index.ts";
import { notNull, requiredReference, type Migration } from "./migration.ts";

const BATCH_SIZE = 500;

export const documents: Migration = {
  name: "029-documents",
  async up(tx, engine) {
    await tx.schema
      .createTable("document_texts")
      .addColumn("version_id", "bigint", (column) => column.primaryKey().references("file_versions.id"))
      .addColumn("state", "text", notNull)
      .addColumn("reason", "text", notNull)
      .addColumn("unit", "text", notNull)
      .addColumn("page_count", "integer", notNull)
      .addColumn("is_cut", "integer", notNull)
      .execute();
    await createTableWithId(tx, engine, "document_pages")
      .addColumn("version_id", "bigint", requiredReference("file_versions.id"))
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("number", "integer", notNull)
      .addColumn("source", "text", notNull)
      .addColumn("text", "text", notNull)
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("document_pages_version").on("document_pages").columns(["version_id", "number"]).unique().execute();
    await tx.schema.createIndex("document_pages_file").on("document_pages").column("file_id").execute();
    await createSearchIndex(tx, engine, "document");
    await insertAnnotationTexts(tx);
    await fillRecordIndex(tx, engine, "document");
    await queueDocuments(tx, engine);
  },
};

async function insertAnnotationTexts(tx: Tx): Promise<void> {
  for (let last = 0; ;) {
    const { rows } = await sql<{ id: number; file_id: number; project_id: number; probe: string; created_by: number; created_at: number }>`
      select file_versions.id, file_versions.file_id, files.project_id, file_versions.probe, file_versions.created_by, file_versions.created_at
      from file_versions join files on files.version_id = file_versions.id
      where file_versions.kind = 'audio' and file_versions.probe is not null and file_versions.id > ${last} order by file_versions.id limit ${BATCH_SIZE}`.execute(
      tx,
    );
    if (rows.length === 0) return;
    last = rows.at(-1)!.id;
    const pages = rows.flatMap(({ id, probe, ...row }) =>
      findAnnotationTexts(probe).map((found, index) => ({ ...row, ...found, version_id: id, number: index + 1 })),
    );
    for (const page of pages) await tx.insertInto("document_pages").values(page).execute();
  }
}

/** Documents have a queue of their own, which gives way to new uploads. */
async function queueDocuments(tx: Tx, engine: Engine): Promise<void> {
  const now = engine === "postgres" ? sql`(extract(epoch from statement_timestamp()) * 1000)::bigint` : sql`cast(unixepoch('subsec') * 1000 as integer)`;
  await sql`insert into jobs (kind, subject_id, organisation_id, account_id, run_at, created_at)
    select 'media.text', file_versions.id, teams.organisation_id, file_versions.created_by, ${now}, ${now}
    from files join file_versions on file_versions.id = files.version_id
      join blobs on blobs.key = file_versions.blob_key
      join projects on projects.id = files.project_id
      join teams on teams.id = projects.team_id
    where file_versions.kind = 'document' and file_versions.transcoding_status = 'transcoded' and blobs.deleted_at is null
    order by file_versions.id desc`.execute(tx);
}
