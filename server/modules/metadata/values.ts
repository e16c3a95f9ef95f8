/** Values of files: reading and changing them. Changes of different fields of a file merge, and those of the same field conflict if the caller says what it expects. */
import { sql } from "kysely";
import type { MetadataChanges, MetadataValue, MetadataValues } from "../../../contract/metadata-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { appliesToKind, findMetadataIssue, normalizeMetadataValue } from "../../../contract/metadata-values.ts";
import { assertCan, loadAuthorizedProject, type Actor, visibleFiles } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { givenRows, padIds } from "../../db/engine-sql.ts";
import { valueColumns } from "../../db/metadata-keys.ts";
import type { Db, NewRow, Row, Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { topicOf } from "../../events/log.ts";
import { HttpError, invalid, notFound } from "../../lib/errors.ts";
import { loadProjectFields, loadValues, type TeamField } from "../files/metadata-fields.ts";
import { loadAuthorizedFile } from "../files/repository.ts";
import { audienceOf } from "../projects/repository.ts";
import type { FileMetadataView } from "./presenter.ts";
import { lockTemplates } from "./repository.ts";

type FileRow = Row<"files">;
export interface ValueChange {
  fileIds: readonly number[];
  values: MetadataChanges;
  /** The values that the fields should have now. */
  ifValues: MetadataChanges;
}
export interface FileChange {
  file: FileRow;
  values: MetadataChanges;
}
/** A change with the values that the file has, null for none; both have the same fields. */
export interface FileDifference extends FileChange {
  former: MetadataChanges;
}

/** With more changed files than this, one event stands for all. */
const MAX_EVENTS = 50;
const ROWS_PER_INSERT = 500;
export const GUEST_REASON = "Guests can only change the metadata of files that they added.";

/** Throws a 400 for a value that does not fit its field, and a 400 for a field that the file does not have. Returns what is stored. */
export function toStoredValue(
  field: TeamField | undefined,
  file: Pick<FileRow, "kind" | "name">,
  value: MetadataValue | null,
  path: string,
): MetadataValue | null {
  if (!field) throw invalid(path, "must be a metadata field of the project's team");
  if (!appliesToKind(field, file.kind)) throw invalid(path, `is not a field of "${file.name}", because its template is for other kinds of files`);
  if (value === null) return null;
  const issue = findMetadataIssue(field, value);
  if (issue) throw invalid(path, issue);
  return normalizeMetadataValue(field, value);
}

/** Returns the names of those accounts that see the project, by id. */
export async function loadPeople(db: Db, actor: Actor, projectId: number, ids: readonly number[] | null): Promise<Map<number, string>> {
  if (ids?.length === 0) return new Map();
  let query = audienceOf(db, projectId).where("accounts.organisation_id", "=", actor.organisationId).select(["accounts.id", "accounts.username"]);
  if (ids) query = query.where("accounts.id", "in", padIds([...new Set(ids)]));
  return new Map((await query.execute()).map(({ id, username }) => [id, username]));
}

export function createMetadataValues(deps: ModuleDeps) {
  const { database, events, clock } = deps;

  /** Stores the changes of files that the caller has locked and authorized, with their events. Values are as stored. Returns the files whose values changed. */
  async function store(tx: Tx, actor: Actor, projectId: number, fields: ReadonlyMap<number, TeamField>, changes: readonly FileDifference[]): Promise<number[]> {
    const people = changes.flatMap(({ values }) =>
      Object.entries(values).flatMap(([id, value]) => (fields.get(Number(id))?.type === "person" && typeof value === "number" ? [value] : [])),
    );
    const names = await loadPeople(tx, actor, projectId, people);
    const removed: { file_id: number; field_id: number }[] = [];
    const rows: NewRow<"metadata_values">[] = [];
    for (const { file, values } of changes)
      for (const [id, value] of Object.entries(values)) {
        const field = fields.get(Number(id));
        if (!field) continue;
        const key = { file_id: file.id, field_id: field.id };
        if (value === null) removed.push(key);
        else if (field.type === "person" && !names.has(Number(value))) throw invalid(`values.${id}`, "must be someone with access to the project");
        else
          rows.push({
            ...key,
            project_id: projectId,
            value: JSON.stringify(value),
            ...valueColumns(field, value, names.get(Number(value))),
            updated_by: actor.accountId,
            updated_at: clock.now(),
          });
      }
    if (removed.length > 0) {
      const given = givenRows(database.engine, removed, { file_id: "bigint", field_id: "bigint" });
      await sql`delete from metadata_values where (file_id, field_id) in (select given.file_id, given.field_id from ${given})`.execute(tx);
    }
    for (let offset = 0; offset < rows.length; offset += ROWS_PER_INSERT)
      await tx
        .insertInto("metadata_values")
        .values(rows.slice(offset, offset + ROWS_PER_INSERT))
        .onConflict((on) =>
          on.columns(["file_id", "field_id"]).doUpdateSet((eb) => ({
            value: eb.ref("excluded.value"),
            match_text: eb.ref("excluded.match_text"),
            sort_number: eb.ref("excluded.sort_number"),
            sort_text: eb.ref("excluded.sort_text"),
            person_id: eb.ref("excluded.person_id"),
            updated_by: eb.ref("excluded.updated_by"),
            updated_at: eb.ref("excluded.updated_at"),
          })),
        )
        .execute();
    const ids = changes.map(({ file }) => file.id);
    rememberFormerRows(
      tx,
      "metadata",
      changes.map(({ file, values, former }) => ({ id: file.id, values: former, after: values })),
    );
    for (let offset = 0; offset < ids.length; offset += ROWS_PER_INSERT)
      await tx
        .updateTable("files")
        .set((eb) => ({ metadata_revision: eb("metadata_revision", "+", 1) }))
        .where("id", "in", ids.slice(offset, offset + ROWS_PER_INSERT))
        .execute();
    await indexRecords(tx, database.engine, "file", ids);
    const topic = topicOf.project(projectId);
    if (changes.length > MAX_EVENTS) await events.append(tx, topic, "metadata.imported", { project_id: projectId });
    else
      for (const { file, values } of changes)
        await events.append(tx, topic, "metadata.updated", { file_id: file.id, project_id: projectId, revision: file.metadata_revision + 1, values });
    return ids;
  }

  /** Returns the values that differ from those that the files have; the caller has locked the project. */
  async function findDifferences(db: Db, fields: readonly TeamField[], changes: readonly FileChange[]): Promise<FileDifference[]> {
    const current = new Map<number, MetadataChanges>();
    for (let offset = 0; offset < changes.length; offset += ROWS_PER_INSERT)
      for (const [id, values] of await loadValues(
        db,
        changes.slice(offset, offset + ROWS_PER_INSERT).map(({ file }) => file),
        fields,
      ))
        current.set(id, values);
    return changes.flatMap(({ file, values }) => {
      const formerOf = (id: string) => current.get(file.id)?.[id] ?? null;
      const different = Object.entries(values).filter(([id, value]) => formerOf(id) !== value);
      if (different.length === 0) return [];
      return [{ file, values: Object.fromEntries(different), former: Object.fromEntries(different.map(([id]) => [id, formerOf(id)])) }];
    });
  }

  /** Makes this transaction the only one that changes metadata of the project, and returns its fields. */
  async function lockFields(tx: Tx, project: Row<"projects">): Promise<Map<number, TeamField>> {
    await events.lock(tx, topicOf.project(project.id));
    await lockTemplates(tx, database.engine, project.team_id);
    return loadProjectFields(tx, project.id);
  }

  /** Throws a 409 with the file's values if one differs from what the caller expects. */
  function assertExpected(file: FileRow, current: MetadataValues, fields: ReadonlyMap<number, TeamField>, ifValues: MetadataChanges): void {
    const differs = Object.entries(ifValues).some(([id, value]) => {
      const field = fields.get(Number(id));
      return (current[id] ?? null) !== (field && value !== null && findMetadataIssue(field, value) === null ? normalizeMetadataValue(field, value) : value);
    });
    if (differs)
      throw new HttpError(409, `Someone else has changed the metadata of "${file.name}". Nothing was saved.`, {
        extensions: { current_values: current },
      });
  }

  async function loadView(db: Db, file: FileRow): Promise<FileMetadataView> {
    const fields = await loadProjectFields(db, file.project_id);
    return { file, values: (await loadValues(db, [file], [...fields.values()])).get(file.id) ?? {} };
  }

  /** Returns the changed files in the order of the request; each is named once. */
  async function change(tx: Tx, actor: Actor, project: Row<"projects">, changes: readonly ValueChange[]): Promise<FileRow[]> {
    const fields = await lockFields(tx, project);
    const ids = changes.flatMap(({ fileIds }) => fileIds);
    const rows = await visibleFiles(tx, actor).selectAll("files").where("files.project_id", "=", project.id).where("files.id", "in", padIds(ids)).execute();
    const fileById = new Map(rows.map((row) => [row.id, row]));
    const expectsValues = changes.some(({ ifValues }) => Object.keys(ifValues).length > 0);
    const current = expectsValues ? await loadValues(tx, rows, [...fields.values()]) : new Map<number, MetadataValues>();
    const fileChanges: FileChange[] = [];
    for (const { fileIds, values, ifValues } of changes)
      for (const id of fileIds) {
        const file = fileById.get(id);
        if (!file) throw notFound(`file ${id} in this project`);
        assertCan(actor, "metadata.edit", { isOwn: file.created_by === actor.accountId }, `${GUEST_REASON} "${file.name}" is not one of them.`);
        if (file.is_folder === 1) throw invalid("file_ids", `must be files, and "${file.name}" is a folder`);
        assertExpected(file, current.get(id) ?? {}, fields, ifValues);
        const stored = Object.entries(values).map(([fieldId, value]) => [
          fieldId,
          toStoredValue(fields.get(Number(fieldId)), file, value, `values.${fieldId}`),
        ]);
        fileChanges.push({ file, values: Object.fromEntries(stored) as MetadataChanges });
      }
    const differences = await findDifferences(tx, [...fields.values()], fileChanges);
    if (differences.length > 0) await store(tx, actor, project.id, fields, differences);
    const after = await tx.selectFrom("files").selectAll().where("id", "in", padIds(ids)).execute();
    const byId = new Map(after.map((file) => [file.id, file]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  return {
    lockFields,
    findDifferences,
    store,

    async get(actor: Actor, fileId: number): Promise<FileMetadataView> {
      return loadView(database.read, await loadAuthorizedFile(database.read, actor, "file.read", fileId));
    },

    update(actor: Actor, fileId: number, values: MetadataChanges, ifValues: MetadataChanges): Promise<FileMetadataView> {
      return database.write(async (tx) => {
        const file = await visibleFiles(tx, actor).selectAll("files").where("files.id", "=", fileId).executeTakeFirst();
        if (!file) throw notFound("file");
        assertCan(actor, "metadata.edit", { isOwn: file.created_by === actor.accountId }, GUEST_REASON);
        const project = await tx.selectFrom("projects").selectAll().where("id", "=", file.project_id).executeTakeFirstOrThrow();
        const [changed] = await change(tx, actor, project, [{ fileIds: [fileId], values, ifValues }]);
        if (!changed) throw notFound("file");
        return loadView(tx, changed);
      });
    },

    /** Changes several files of a project, all or none; returns them in the order of the request. */
    updateMany(actor: Actor, projectId: number, changes: readonly ValueChange[]): Promise<FileRow[]> {
      const ids = changes.flatMap(({ fileIds }) => fileIds);
      if (ids.length > LIMITS.files_per_request) throw invalid("changes", `must name at most ${LIMITS.files_per_request} files`);
      if (new Set(ids).size < ids.length) throw invalid("changes", "must name each file once");
      return database.backgroundWrite(async (tx) => {
        const project = await loadAuthorizedProject(tx, actor, "metadata.edit", projectId, { isOwn: true });
        return change(tx, actor, project, changes);
      });
    },
  };
}

export type MetadataValuesService = ReturnType<typeof createMetadataValues>;
