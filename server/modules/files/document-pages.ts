/** Stores the text of a version in pages, and keeps the index to those of current versions. */
import type { PageSource } from "../../../contract/knowledge-records.ts";
import type { Database, Engine } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { indexRecords, PAGES_PER_BATCH } from "../../db/search-documents.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";

export interface PageToStore {
  number: number;
  source: PageSource;
  text: string;
}

/** Replaces the pages of a version, in small transactions, so that other writes get in between. */
export async function storePages({ database }: { database: Database }, versionId: number, pages: readonly PageToStore[]): Promise<void> {
  await database.write((tx) => deletePages(tx, database.engine, versionId));
  // Pages are inserted last first, so that the search, which lists the highest id first, finds them in order.
  const reversed = pages.toReversed();
  for (let offset = 0; offset < reversed.length; offset += PAGES_PER_BATCH) {
    const batch = reversed.slice(offset, offset + PAGES_PER_BATCH);
    await database.write((tx) => insertPages(tx, database.engine, versionId, batch));
  }
}

async function deletePages(tx: Tx, engine: Engine, versionId: number): Promise<void> {
  const rows = await tx.selectFrom("document_pages").select("id").where("version_id", "=", versionId).execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await removeSearchDocuments(tx, engine, "document", ids);
  await tx.deleteFrom("document_pages").where("version_id", "=", versionId).execute();
}

/** Erases what a version says, and what is known of its text. */
export async function eraseText(tx: Tx, engine: Engine, versionId: number): Promise<void> {
  await deletePages(tx, engine, versionId);
  await tx.deleteFrom("document_texts").where("version_id", "=", versionId).execute();
}

async function insertPages(tx: Tx, engine: Engine, versionId: number, pages: readonly PageToStore[]): Promise<void> {
  const version = await tx
    .selectFrom("file_versions")
    .innerJoin("files", "files.id", "file_versions.file_id")
    .select(["file_versions.file_id", "files.project_id", "file_versions.created_by", "file_versions.created_at"])
    .where("file_versions.id", "=", versionId)
    .executeTakeFirstOrThrow();
  const rows = await tx
    .insertInto("document_pages")
    .values(pages.map((page) => ({ ...page, ...version, version_id: versionId })))
    .returning("id")
    .execute();
  await indexRecords(
    tx,
    engine,
    "document",
    rows.map(({ id }) => id),
  );
}

/** Removes the pages of earlier versions from the index once the file has a new one. They can still be read. */
export async function removeEarlierPages(tx: Tx, engine: Engine, fileId: number): Promise<void> {
  const rows = await tx
    .selectFrom("document_pages")
    .innerJoin("files", "files.id", "document_pages.file_id")
    .select("document_pages.id")
    .where("document_pages.file_id", "=", fileId)
    .whereRef("document_pages.version_id", "<>", "files.version_id")
    .execute();
  await removeSearchDocuments(
    tx,
    engine,
    "document",
    rows.map(({ id }) => id),
  );
}
