/** What a zip of several entries holds: which bytes under which path, with names that every file system takes. */
import { sql } from "kysely";
import { splitEnding } from "../../../contract/file-order.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Database } from "../../db/database.ts";
import type { Db, Row } from "../../db/schema.ts";
import { Fault } from "../../lib/faults.ts";
import type { Actor } from "../access.ts";
import { numbered } from "./names.ts";
import { safeName } from "./safe-names.ts";
import { filesNamed } from "./selection.ts";
import { liveTree, topsOf } from "./tree.ts";

export interface Packed {
  /** With "/" between; a folder's ends with one. */
  path: string;
  size: number;
  changedAt: number;
  /** null: a folder. */
  key: string | null;
}
export interface Packing {
  /** With ".zip". */
  name: string;
  entries: Packed[];
}

export type Found = Pick<Row<"files">, "id" | "parent_id" | "is_folder" | "name" | "changed_at"> & { blob_key: string | null; bytes: number | null };

/** Everything below these entries, folders and files, in natural order. */
async function everythingIn(db: Db, tops: readonly Row<"files">[]): Promise<Found[]> {
  const { rows } = await sql<Found>`${liveTree(tops.map(({ id }) => id))}
    select files.id, files.parent_id, files.is_folder, files.name, files.changed_at, file_versions.blob_key, file_versions.size as bytes
    from tree cross join files left join file_versions on file_versions.id = files.version_id where files.id = tree.id
    order by files.order_key, files.id limit ${LIMITS.archive_files + 1}`.execute(db);
  if (rows.length > LIMITS.archive_files)
    throw new Fault(400, `A zip holds at most ${LIMITS.archive_files.toLocaleString("en")} files and folders. Download some of them at a time.`);
  return rows;
}

/** Paths from the tops down. Names that are equal for some file system, in one folder, get numbers. Costs what there is, however it lies. */
export function pack(tops: readonly { id: number }[], rows: readonly Found[]): Packed[] {
  const within = new Map<number, Found[]>();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    if (row.parent_id === null) continue;
    const beside = within.get(row.parent_id);
    if (beside) beside.push(row);
    else within.set(row.parent_id, [row]);
  }
  const packed: Packed[] = [];
  const waiting: { folder: string; rows: readonly Found[] }[] = [{ folder: "", rows: tops.flatMap(({ id }) => byId.get(id) ?? []) }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const taken = new Map<string, number>();
    for (const row of next.rows) {
      const path = next.folder + freeName(safeName(row.name), taken);
      if (row.is_folder === 1) {
        // Made before folders had a depth: longer paths fit into no zip, and thousands of them into no memory.
        if (Buffer.byteLength(path) > LONGEST_FOLDER) throw new Fault(400, "Its folders lie too deep in each other for a zip.");
        packed.push({ path: `${path}/`, size: 0, changedAt: row.changed_at, key: null });
        waiting.push({ folder: `${path}/`, rows: within.get(row.id) ?? [] });
      } else if (row.blob_key !== null) packed.push({ path, size: row.bytes ?? 0, changedAt: row.changed_at, key: row.blob_key });
    }
  }
  return packed;
}

/** In bytes: a name in it, and the separator, have room up to what a zip holds. */
const LONGEST_FOLDER = 65_000;

const nameKey = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase();
/** `taken`: names that are used, each with the number to try next; thousands may ask for one name. */
function freeName(wished: string, taken: Map<string, number>): string {
  const key = nameKey(wished);
  let number = taken.get(key);
  if (number === undefined) {
    taken.set(key, 2);
    return wished;
  }
  let name = numbered(wished, number);
  for (number += 1; taken.has(nameKey(name)); number += 1) name = numbered(wished, number);
  taken.set(key, number);
  taken.set(nameKey(name), 2);
  return name;
}

const stem = ({ name, is_folder }: Row<"files">): string => (is_folder === 1 ? name : splitEnding(name)[0]);

export const createArchives = ({ database }: { database: Database }) => ({
  /** `name`: what somebody wants the zip to be called. */
  async pack(actor: Actor, ids: readonly number[], name: string | null): Promise<Packing> {
    const { read } = database;
    const named = await filesNamed(read, actor, "file.read", ids);
    const tops = await topsOf(read, named);
    const rows = await everythingIn(read, tops);
    return { name: await nameOf(read, tops, name), entries: pack(tops, rows) };
  },
});

async function nameOf(db: Db, tops: readonly Row<"files">[], wished: string | null): Promise<string> {
  const [first] = tops;
  if (wished !== null) return `${safeName(wished.replace(/\.zip$/i, ""))}.zip`;
  if (first && tops.length === 1) return `${safeName(stem(first))}.zip`;
  const folder = first?.parent_id ? await db.selectFrom("files").select("name").where("id", "=", first.parent_id).executeTakeFirst() : undefined;
  return `${safeName(folder?.name ?? "Files")}.zip`;
}
