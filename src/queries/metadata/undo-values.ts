/** Undoes a change of the values of several files, as far as others have not changed them since. */
import type { FileMetadata, MetadataChanges } from "../../../contract/metadata-records.ts";
import { updateProjectMetadata } from "../../../contract/operations/metadata.ts";
import { ApiError } from "../../api/api-error.ts";
import type { ClientData } from "../../client/client.ts";
import { currentValuesOf } from "./use-file-metadata.ts";
import { groupByValues, loadValues, valueOf } from "./values-of-files.ts";

/** How often an undo is tried while others change files as it is sent. */
const MAX_ATTEMPTS = 3;

/** Returns the fields that a change to these values changed in a file, of which this is the former state. */
const fieldsToUndo = (file: FileMetadata, values: MetadataChanges): string[] => Object.keys(values).filter((id) => valueOf(file, id) !== values[id]);

/** How many files an undo restored, and in how many it left a field as it is. A file may count in several. */
export interface UndoResult {
  restored: number;
  /** Somebody has changed a field meanwhile. */
  changed: number;
  /** A former value is not allowed any more, such as a person who has left. */
  refused: number;
  /** The file was deleted, or is in another project. */
  gone: number;
}

/** Gives the files their former values again, field by field, except where somebody has changed a field meanwhile. */
export async function undoValues(client: ClientData, projectId: number, before: readonly FileMetadata[], values: MetadataChanges): Promise<UndoResult> {
  const changedFiles = before.filter((file) => fieldsToUndo(file, values).length > 0);
  const ids = changedFiles.map(({ file_id }) => file_id);
  const refusedFields = new Set<string>();
  for (let conflicts = 0; ;) {
    const current = new Map((await loadValues(client.api, projectId, ids)).map((file) => [file.file_id, file]));
    const { changes, result } = planUndo(changedFiles, current, values, refusedFields);
    if (changes.length === 0) return result;
    try {
      await client.api.call(updateProjectMetadata, { params: { project_id: projectId }, body: { changes } });
      return result;
    } catch (error) {
      const refused = findRefusedField(error);
      if (refused !== undefined && !refusedFields.has(refused)) refusedFields.add(refused);
      else {
        conflicts += 1;
        const isOutdated = currentValuesOf(error) !== null || (error instanceof ApiError && error.status === 404);
        if (!isOutdated || conflicts === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

/** Returns the field whose value the service does not accept. */
function findRefusedField(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  return error.errors.map(({ path }) => /^values\.(\d+)$/.exec(path)?.[1]).find((id) => id !== undefined);
}

function planUndo(files: readonly FileMetadata[], current: ReadonlyMap<number, FileMetadata>, values: MetadataChanges, refusedFields: ReadonlySet<string>) {
  const result: UndoResult = { restored: 0, changed: 0, refused: 0, gone: 0 };
  const changes: { file_ids: number[]; values: MetadataChanges; if_values: MetadataChanges }[] = [];
  const filesByFields = new Map<string, FileMetadata[]>();
  for (const file of files) {
    const now = current.get(file.file_id);
    if (!now) {
      result.gone += 1;
      continue;
    }
    const open = fieldsToUndo(file, values).filter((id) => valueOf(now, id) !== valueOf(file, id));
    const unchanged = open.filter((id) => valueOf(now, id) === values[id]);
    const allowed = unchanged.filter((id) => !refusedFields.has(id));
    if (unchanged.length < open.length) result.changed += 1;
    if (allowed.length < unchanged.length) result.refused += 1;
    if (allowed.length === 0) continue;
    result.restored += 1;
    const key = allowed.join();
    filesByFields.set(key, [...(filesByFields.get(key) ?? []), file]);
  }
  for (const [key, group] of filesByFields) {
    const fieldIds = key.split(",");
    const expected = Object.fromEntries(fieldIds.map((id) => [id, values[id] ?? null]));
    for (const former of groupByValues(group, fieldIds)) changes.push({ ...former, if_values: expected });
  }
  return { changes, result };
}
