/** Imports metadata from CSV, all or none: a table with any error changes nothing, and says what is wrong with each cell. */
import { fileNameKey } from "../../../contract/file-order.ts";
import type { MetadataChanges, MetadataImport } from "../../../contract/metadata-records.ts";
import { appliesToKind } from "../../../contract/metadata-values.ts";
import { nameKey } from "../../../contract/text.ts";
import { can, loadAuthorizedProject, type Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import { hashJson } from "../../lib/crypto.ts";
import { conflict, HttpError, invalid } from "../../lib/errors.ts";
import type { TeamField } from "../files/metadata-fields.ts";
import { FIXED_COLUMNS, headings, parseCell, unguardFormula } from "./cell-text.ts";
import { previewChanges } from "./import-preview.ts";
import { readTable, type Table, type TableRow } from "./read-table.ts";
import { GUEST_REASON, loadPeople, type FileChange, type FileDifference, type MetadataValuesService } from "./values.ts";

const MAX_ERRORS = 100;
const MAX_LINES_IN_MESSAGE = 10;
const BATCH_SIZE = 500;
const [FILE_ID, PATH] = FIXED_COLUMNS;

interface Columns {
  fileId: number;
  path: number;
  fields: { index: number; heading: string; field: TeamField }[];
  unknown: string[];
}

/** Throws a 400 if no column names the files, or two columns are the same field. */
function findColumns({ header }: Table, fields: readonly TeamField[]): Columns {
  const byHeading = new Map(
    [...headings(fields)].flatMap(([field, heading]) => [
      [nameKey(heading), field] as const,
      [nameKey(`${field.templateName}: ${field.name}`), field] as const,
    ]),
  );
  const columns: Columns = { fileId: -1, path: -1, fields: [], unknown: [] };
  header.forEach((cell, index) => {
    const heading = unguardFormula(cell);
    const field = byHeading.get(nameKey(heading));
    if (nameKey(heading) === nameKey(FILE_ID)) columns.fileId = index;
    else if (nameKey(heading) === nameKey(PATH)) columns.path = index;
    else if (field) {
      if (columns.fields.some((other) => other.field === field)) throw invalid("body", `has two columns for the field "${field.name}"`);
      columns.fields.push({ index, heading, field });
    } else if (!FIXED_COLUMNS.some((name) => nameKey(name) === nameKey(heading)) && heading !== "") columns.unknown.push(heading.slice(0, 200));
  });
  if (columns.fileId === -1 && columns.path === -1) throw invalid("body", `must have a column "${FILE_ID}" or "${PATH}"`);
  return columns;
}

type FileRow = Row<"files">;

/** Returns the folders of the project by their path, such as "stems/drums/", in which case does not matter. */
async function loadFolderPaths(db: Db, project: Row<"projects">): Promise<Map<string, number>> {
  const folders = await db
    .selectFrom("files")
    .select(["id", "parent_id", "name_key"])
    .where("project_id", "=", project.id)
    .where("is_folder", "=", 1)
    .where("deleted_at", "is", null)
    .execute();
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const pathOf = (id: number | null): string => {
    const folder = id === null ? undefined : byId.get(id);
    return !folder || folder.parent_id === null ? "" : `${pathOf(folder.parent_id)}${folder.name_key}/`;
  };
  return new Map(folders.map(({ id }) => [pathOf(id), id]));
}

/** Finds the file of each row: by id if the row has one, else by path. */
async function findFiles(db: Db, project: Row<"projects">, rows: readonly TableRow[], { fileId, path }: Columns): Promise<(FileRow | undefined)[]> {
  const idOf = ({ cells }: TableRow): number | null => (/^[1-9]\d{0,14}$/.test(cells[fileId]?.trim() ?? "") ? Number(cells[fileId]) : null);
  const keyOf = ({ cells }: TableRow): string =>
    fileNameKey(
      unguardFormula(cells[path] ?? "")
        .trim()
        .replace(/^\/+/, ""),
    );
  const base = () => db.selectFrom("files").selectAll().where("project_id", "=", project.id).where("is_folder", "=", 0).where("deleted_at", "is", null);
  const byId = new Map<number, FileRow>();
  const byPath = new Map<string, FileRow>();
  const ids = rows.flatMap((row) => idOf(row) ?? []);
  for (let offset = 0; offset < ids.length; offset += BATCH_SIZE)
    for (const file of await base()
      .where("id", "in", padIds(ids.slice(offset, offset + BATCH_SIZE)))
      .execute())
      byId.set(file.id, file);
  const withoutId = rows.filter((row) => idOf(row) === null && keyOf(row) !== "");
  if (withoutId.length > 0) {
    const folders = await loadFolderPaths(db, project);
    const namesByFolder = new Map<string, string[]>();
    for (const row of withoutId) {
      const key = keyOf(row);
      const folder = key.slice(0, key.lastIndexOf("/") + 1);
      namesByFolder.set(folder, [...(namesByFolder.get(folder) ?? []), key.slice(folder.length)]);
    }
    for (const [folder, names] of namesByFolder) {
      const parent = folders.get(folder);
      for (let offset = 0; parent !== undefined && offset < names.length; offset += BATCH_SIZE)
        for (const file of await base()
          .where("parent_id", "=", parent)
          .where("name_key", "in", names.slice(offset, offset + BATCH_SIZE))
          .execute())
          byPath.set(folder + file.name_key, file);
    }
  }
  return rows.map((row) => {
    const id = idOf(row);
    return id === null ? byPath.get(keyOf(row)) : byId.get(id);
  });
}

export function createCsvImport({ database }: { database: Database }, values: MetadataValuesService) {
  return {
    /** `ifDigest`: throws a 409 if the import would change something else than the dry run with this digest has listed. */
    async import(actor: Actor, projectId: number, text: string, isDryRun: boolean, ifDigest: string | null): Promise<MetadataImport> {
      await loadAuthorizedProject(database.read, actor, "metadata.edit", projectId, { isOwn: true });
      const table = await readTable(text);
      return database.backgroundWrite(async (tx) => {
        const project = await loadAuthorizedProject(tx, actor, "metadata.edit", projectId, { isOwn: true });
        const fieldById = await values.lockFields(tx, project);
        const fields = [...fieldById.values()];
        const columns = findColumns(table, fields);
        const people = await loadPeople(tx, actor, project.id, null);
        const context = { peopleByName: new Map([...people].map(([id, name]) => [nameKey(name), id])), hasDecimalComma: table.delimiter === ";" };
        const files = await findFiles(tx, project, table.rows, columns);
        const errors: MetadataImport["errors"] = [];
        const changes: (FileChange & { line: number })[] = [];
        const lineOf = new Map<number, number>();
        table.rows.forEach(({ line, cells }, index) => {
          const file = files[index];
          const fail = (column: string | null, message: string) => void errors.push({ line, column, message });
          if (!file) return fail(columns.fileId === -1 ? PATH : FILE_ID, "No file of this project has this id or path");
          if (lineOf.has(file.id)) return fail(null, `"${file.name}" is already in line ${lineOf.get(file.id)}`);
          lineOf.set(file.id, line);
          const rowValues: MetadataChanges = {};
          for (const { index: cellIndex, heading, field } of columns.fields) {
            const cell = cells[cellIndex];
            if (cell === undefined || (cell.trim() === "" && !appliesToKind(field, file.kind))) continue;
            const parsed = parseCell(field, cell, context);
            if ("issue" in parsed) fail(heading, parsed.issue);
            else if (!appliesToKind(field, file.kind)) fail(heading, "The field's template is for other kinds of files");
            else rowValues[field.id] = parsed.value;
          }
          changes.push({ file, values: rowValues, line });
        });
        const { allowed: differences = [], denied = [] } = Object.groupBy(await values.findDifferences(tx, fields, changes), ({ file }) =>
          can(actor, "metadata.edit", { isOwn: file.created_by === actor.accountId }) ? "allowed" : "denied",
        );
        const deniedLines = denied.map(({ file }) => ({
          line: lineOf.get(file.id) ?? 0,
          column: null,
          message: `${GUEST_REASON} This line is of "${file.name}".`,
        }));
        if (deniedLines.length > 0 && !isDryRun) throw denyLines(deniedLines);
        errors.push(...deniedLines);
        errors.sort((a, b) => a.line - b.line);
        const digest = digestOf(differences);
        if (ifDigest !== null && ifDigest !== digest) throw conflict("Someone has changed the metadata of these files since. Nothing was imported.");
        if (!isDryRun && errors.length === 0 && differences.length > 0) await values.store(tx, actor, project.id, fieldById, differences);
        return {
          dry_run: isDryRun,
          row_count: table.rows.length,
          changed_file_count: differences.length,
          changed_value_count: differences.reduce((sum, { values: changed }) => sum + Object.keys(changed).length, 0),
          unknown_columns: columns.unknown.slice(0, MAX_ERRORS),
          errors: errors.slice(0, MAX_ERRORS),
          error_count: errors.length,
          digest,
          changes: isDryRun ? await previewChanges(tx, differences, lineOf) : [],
        };
      });
    },
  };
}

const digestOf = (differences: readonly FileDifference[]): string => hashJson(differences.map(({ file, values, former }) => [file.id, values, former]));

/** Returns a 403 that names the lines with changes that the actor cannot make. */
const denyLines = (denied: MetadataImport["errors"]): HttpError =>
  new HttpError(403, `${GUEST_REASON} Nothing was imported, because of ${formatLines(denied.map(({ line }) => line))}.`, {
    errors: denied.slice(0, MAX_ERRORS).map(({ line, message }) => ({ path: `line ${line}`, message })),
  });

const formatLines = (lines: readonly number[]): string =>
  lines.length === 1
    ? `line ${lines[0]}`
    : `lines ${lines.slice(0, MAX_LINES_IN_MESSAGE).join(", ")}${lines.length > MAX_LINES_IN_MESSAGE ? ` and ${lines.length - MAX_LINES_IN_MESSAGE} more` : ""}`;

export const assertCsv = (contentType: string | undefined): void => {
  if (!/^text\/csv\b/i.test(contentType ?? "")) throw new HttpError(415, "Send the table as text/csv.");
};
