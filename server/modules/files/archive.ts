/** Builds the contents of a zip of several entries: blobs with paths that extract on any system as one file each, inside the target folder. */
import { sql } from "kysely";
import { setImmediate } from "node:timers/promises";
import { splitExtension } from "../../../contract/file-order.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount } from "../../../contract/text.ts";
import type { Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import type { Db, Row } from "../../db/schema.ts";
import { HttpError } from "../../lib/errors.ts";
import type { ArchiveEntry } from "./archive-stream.ts";
import { numberedName } from "./names.ts";
import { loadFiles } from "./selection.ts";
import { undeletedTree, selectTopmost } from "./tree.ts";

export interface Archive {
  /** Includes ".zip". */
  name: string;
  entries: ArchiveEntry[];
}

export type ArchiveRow = Pick<Row<"files">, "id" | "parent_id" | "is_folder" | "name" | "changed_at"> & { blob_key: string | null; bytes: number | null };

/** In bytes; leaves capacity for a separator and a file name up to the zip format's path limit. */
const MAX_FOLDER_PATH_BYTES = 65_000;
/** All paths of a zip are in memory several times while it is sent. */
const MAX_PATHS_BYTES = 32 * 1024 * 1024;
/** Entries after which other requests get their turn. */
const ROWS_PER_TURN = 500;
/** File systems allow 255 bytes; ".zip" or a number may follow. */
const MAX_NAME_BYTES = 240;

/** Characters that Windows rejects, or that would turn a name into a path or terminate it. */
const FORBIDDEN = /[\u0000-\u001F\u007F-\u009F<>:"/\\|?*]/g;
const HIDDEN = /[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** Windows device names, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

export const createArchives = ({ database }: { database: Database }) => ({
  /** `name`: the requested name of the zip. */
  async pack(actor: Actor, ids: readonly number[], name: string | null): Promise<Archive> {
    const { backgroundRead: read } = database;
    const selected = await loadFiles(read, actor, "file.read", ids);
    const topEntries = await selectTopmost(read, selected);
    const rows = await loadTree(read, topEntries);
    return { name: await archiveName(read, topEntries, name), entries: await buildArchiveEntries(topEntries, rows) };
  },
});

/** Loads everything below these entries, folders and files, in natural order. */
async function loadTree(db: Db, topEntries: readonly Row<"files">[]): Promise<ArchiveRow[]> {
  const { rows } = await sql<ArchiveRow>`${undeletedTree(topEntries.map(({ id }) => id))}
    select files.id, files.parent_id, files.is_folder, files.name, files.changed_at, file_versions.blob_key, file_versions.size as bytes
    from tree cross join files left join file_versions on file_versions.id = files.version_id where files.id = tree.id
    order by files.order_key, files.id limit ${LIMITS.archive_files + 1}`.execute(db);
  if (rows.length > LIMITS.archive_files)
    throw new HttpError(400, `A zip can contain at most ${formatCount(LIMITS.archive_files)} files and folders. Select fewer files.`);
  return rows;
}

/** Builds paths from the top entries down and numbers names in one folder that some file system treats as equal. The cost is linear in the rows. */
export async function buildArchiveEntries(topEntries: readonly { id: number }[], rows: readonly ArchiveRow[]): Promise<ArchiveEntry[]> {
  const childrenByParent = new Map<number, ArchiveRow[]>();
  const topIds = new Set(topEntries.map(({ id }) => id));
  const topRows = new Map(rows.filter(({ id }) => topIds.has(id)).map((row) => [row.id, row]));
  for (const row of rows) {
    if (row.parent_id === null) continue;
    const siblings = childrenByParent.get(row.parent_id);
    if (siblings) siblings.push(row);
    else childrenByParent.set(row.parent_id, [row]);
  }
  const archiveEntries: ArchiveEntry[] = [];
  let pathsBytes = 0;
  let visitedCount = 0;
  const pending: { folder: string; rows: readonly ArchiveRow[] }[] = [{ folder: "", rows: topEntries.flatMap(({ id }) => topRows.get(id) ?? []) }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const usedNames = new Map<string, number>();
    for (const row of next.rows) {
      visitedCount += 1;
      if (visitedCount % ROWS_PER_TURN === 0) await setImmediate();
      const path = next.folder + uniqueName(safeName(row.name), usedNames);
      const pathBytes = Buffer.byteLength(path);
      pathsBytes += pathBytes;
      // Folders created before the depth limit may have paths too long for a zip.
      if (row.is_folder === 1 && pathBytes > MAX_FOLDER_PATH_BYTES) throw new HttpError(400, "The folders are nested too deeply for a zip.");
      // Tens of thousands of long paths would exhaust memory.
      if (pathsBytes > MAX_PATHS_BYTES) throw new HttpError(400, "The names in this selection are too long together for one zip. Select fewer files.");
      if (row.is_folder === 1) {
        archiveEntries.push({ path: `${path}/`, size: 0, changedAt: row.changed_at, content: null });
        pending.push({ folder: `${path}/`, rows: childrenByParent.get(row.id) ?? [] });
      } else if (row.blob_key !== null) archiveEntries.push({ path, size: row.bytes ?? 0, changedAt: row.changed_at, content: row.blob_key, fileId: row.id });
    }
  }
  return archiveEntries;
}

/** `usedNames` maps each used name to the next number to try, because thousands of entries may share one name. */
export function uniqueName(requestedName: string, usedNames: Map<string, number>): string {
  const key = nameKey(requestedName);
  let number = usedNames.get(key);
  if (number === undefined) {
    usedNames.set(key, 2);
    return requestedName;
  }
  let name = numberedName(requestedName, number);
  for (number += 1; usedNames.has(nameKey(name)); number += 1) name = numberedName(requestedName, number);
  usedNames.set(key, number);
  usedNames.set(nameKey(name), 2);
  return name;
}

const nameKey = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase();

async function archiveName(db: Db, topEntries: readonly Row<"files">[], requestedName: string | null): Promise<string> {
  const [first] = topEntries;
  if (requestedName !== null) return `${safeName(requestedName.replace(/\.zip$/i, ""))}.zip`;
  if (first && topEntries.length === 1) return `${safeName(fileStem(first))}.zip`;
  const folder = first?.parent_id ? await db.selectFrom("files").select("name").where("id", "=", first.parent_id).executeTakeFirst() : undefined;
  return `${safeName(folder?.name ?? "Files")}.zip`;
}

const fileStem = ({ name, is_folder }: Row<"files">): string => (is_folder === 1 ? name : splitExtension(name)[0]);

/** Returns a name in NFC without separators that is similar to `name`, and never empty, "." or "..". */
export function safeName(name: string): string {
  const plain = name.replace(LONE_SURROGATE, "_").normalize("NFC").replace(HIDDEN, "").replace(FORBIDDEN, "_").trim();
  // Windows strips trailing dots and spaces, which would make distinct names equal.
  let safe = plain.replace(/[. ]+$/, (end) => "_".repeat(end.length));
  if (RESERVED.test(safe)) safe = `_${safe}`;
  if (safe === "") safe = "_";
  return Buffer.byteLength(safe) <= MAX_NAME_BYTES ? safe : shorten(safe);
}

function shorten(name: string): string {
  const [fullStem, extension] = splitExtension(name);
  let stem = fullStem;
  while (Buffer.byteLength(stem + extension) > MAX_NAME_BYTES) stem = [...stem].slice(0, -1).join("");
  return stem + extension;
}
