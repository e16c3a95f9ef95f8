/** Reads the text of a file's version page by page. */
import { pageLabel, type FilePage, type FilePageWithText, type FileText } from "../../../contract/knowledge-records.ts";
import type { Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { MAX_INT4 } from "../../db/engine-sql.ts";
import type { Row } from "../../db/schema.ts";
import { notFound } from "../../lib/errors.ts";
import { loadAuthorizedFile, loadVersion } from "../files/repository.ts";
import { TEXT_JOB } from "../files/uploads.ts";

export function createPages({ database }: ModuleDeps) {
  async function loadText(actor: Actor, fileId: number, versionNumber: number | null) {
    const file = await loadAuthorizedFile(database.read, actor, "file.read", fileId);
    if (file.version_id === null) throw notFound("version of this file");
    const version = await loadVersion(database.read, file, versionNumber);
    const text = await database.read.selectFrom("document_texts").selectAll().where("version_id", "=", version.id).executeTakeFirst();
    return { version, text: text ?? null, unit: text?.unit ?? ("part" as const) };
  }
  /** Documents that were uploaded before the service read their text wait in a queue of their own. */
  const isQueued = async (versionId: number): Promise<boolean> =>
    (await database.read
      .selectFrom("jobs")
      .select("id")
      .where("kind", "=", TEXT_JOB)
      .where("subject_id", "=", versionId)
      .where("state", "in", ["waiting", "running"])
      .executeTakeFirst()) !== undefined;
  const present = (row: Pick<Row<"document_pages">, "number" | "source">, unit: "page" | "part", characters: number): FilePage => ({
    object: "file_page",
    number: row.number,
    label: pageLabel(row.source, unit, row.number),
    source: row.source,
    characters,
  });

  return {
    /** Returns the pages after this number. */
    async list(
      actor: Actor,
      fileId: number,
      versionNumber: number | null,
      after: number,
      limit: number,
    ): Promise<{ text: FileText; pages: FilePage[]; next: number | null }> {
      const { version, text, unit } = await loadText(actor, fileId, versionNumber);
      const rows = await database.read
        .selectFrom("document_pages")
        .select(["number", "source", ({ fn }) => fn<number>("length", ["text"]).as("characters")])
        .where("version_id", "=", version.id)
        .where("number", ">", Math.min(after, MAX_INT4))
        .orderBy("number")
        .limit(limit + 1)
        .execute();
      const pages = rows.slice(0, limit).map((row) => present(row, unit, row.characters));
      const isProcessing = version.transcoding_status === "waiting" || version.transcoding_status === "transcoding";
      const isWaiting = text === null && rows.length === 0 && (isProcessing || (await isQueued(version.id)));
      return {
        text: {
          state: text?.state ?? (rows.length > 0 || after > 0 ? "indexed" : isWaiting ? "waiting" : "none"),
          reason: text?.reason ?? "",
          unit,
          page_count: text?.page_count ?? 0,
          is_cut: text?.is_cut === 1,
          version: version.number,
        },
        pages,
        next: rows.length > limit ? (pages.at(-1)?.number ?? null) : null,
      };
    },

    async get(actor: Actor, fileId: number, versionNumber: number | null, number: number): Promise<FilePageWithText> {
      const { version, unit } = await loadText(actor, fileId, versionNumber);
      const row = await database.read
        .selectFrom("document_pages")
        .selectAll()
        .where("version_id", "=", version.id)
        .where("number", "=", Math.min(number, MAX_INT4))
        .executeTakeFirst();
      if (!row) throw notFound("page of this file");
      return { ...present(row, unit, [...row.text].length), text: row.text };
    },
  };
}
