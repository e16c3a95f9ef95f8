/** Values of several files of a project at once: reading them, changing them all or none, and undoing a change. */
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FileMetadata, MetadataChanges } from "../../../contract/metadata-records.ts";
import { listFileMetadata, updateProjectMetadata } from "../../../contract/operations/metadata.ts";
import type { Api, CallOptions } from "../../api/http.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { fetchAllPages } from "../operations.ts";
import { invalidate } from "../query-client.ts";
import { metadataKeys } from "./cache-updates.ts";
import { currentValuesOf } from "./use-file-metadata.ts";

/** How often an undo starts again because somebody changed a file while it was sent. */
const MAX_ATTEMPTS = 3;

const loadValues = (api: Api, projectId: number, fileIds: readonly number[], options: CallOptions = {}): Promise<FileMetadata[]> =>
  fetchAllPages((cursor) =>
    api.call(listFileMetadata, { params: { project_id: projectId }, query: { file_ids: fileIds.join(","), cursor, limit: 200 } }, options),
  );

/** Returns the values of these files, which follow what others change. */
export const useValuesOfFiles = (projectId: number, fileIds: readonly number[]) =>
  useQuery({
    queryKey: metadataKeys.files(projectId, fileIds),
    queryFn: ({ signal, meta }) => loadValues(meta!.client.api, projectId, fileIds, { signal }),
    // Another dialog begins with what is there by then.
    staleTime: 0,
    gcTime: 0,
  });

/** Returns the values that a file has for these fields; null for none. */
const pick = ({ values }: Pick<FileMetadata, "values">, fieldIds: readonly string[]): MetadataChanges =>
  Object.fromEntries(fieldIds.map((id) => [id, values[id] ?? null]));

const hasValues = (file: FileMetadata, expected: MetadataChanges): boolean => JSON.stringify(pick(file, Object.keys(expected))) === JSON.stringify(expected);

/** Groups files by the values that they have for these fields. */
function groupByValues(files: readonly FileMetadata[], fieldIds: readonly string[]): { file_ids: number[]; values: MetadataChanges }[] {
  const groups = new Map<string, { file_ids: number[]; values: MetadataChanges }>();
  for (const file of files) {
    const values = pick(file, fieldIds);
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { file_ids: [], values };
    group.file_ids.push(file.file_id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Sets the values for all of the files, or for none if somebody has meanwhile changed one of the fields. */
export function useChangeValues(projectId: number) {
  const client = useClient();
  return useMutation({
    /** `before`: what the files had when the person decided. */
    mutationFn({ before, values }: { before: readonly FileMetadata[]; values: MetadataChanges }) {
      const changes = groupByValues(before, Object.keys(values)).map((group) => ({ file_ids: group.file_ids, values, if_values: group.values }));
      return client.api.call(updateProjectMetadata, { params: { project_id: projectId }, body: { changes } });
    },
    onError: (error) => {
      if (currentValuesOf(error)) invalidate(client, metadataKeys.allOfFiles);
    },
  });
}

/** Gives the files their former values again, except those that somebody has changed meanwhile or deleted. Returns how many there are of both. */
export async function undoValues(
  client: ClientData,
  projectId: number,
  before: readonly FileMetadata[],
  values: MetadataChanges,
): Promise<{ restored: number; skipped: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const current = await loadValues(
      client.api,
      projectId,
      before.map(({ file_id }) => file_id),
    );
    const unchanged = new Set(current.filter((file) => hasValues(file, values)).map(({ file_id }) => file_id));
    const files = before.filter(({ file_id }) => unchanged.has(file_id));
    const result = { restored: files.length, skipped: before.length - files.length };
    if (files.length === 0) return result;
    const changes = groupByValues(files, Object.keys(values)).map((group) => ({ ...group, if_values: values }));
    try {
      await client.api.call(updateProjectMetadata, { params: { project_id: projectId }, body: { changes } });
      return result;
    } catch (error) {
      if (!currentValuesOf(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
