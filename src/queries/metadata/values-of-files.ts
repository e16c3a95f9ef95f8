/** Values of several files of a project at once: reading them, and changing them all or none. */
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FileMetadata, MetadataChanges, MetadataValue } from "../../../contract/metadata-records.ts";
import { listFileMetadata, updateProjectMetadata } from "../../../contract/operations/metadata.ts";
import type { Api, CallOptions } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { fetchAllPages } from "../operations.ts";
import { invalidate } from "../query-client.ts";
import { metadataKeys } from "./cache-updates.ts";
import { currentValuesOf } from "./use-file-metadata.ts";

export const loadValues = (api: Api, projectId: number, fileIds: readonly number[], options: CallOptions = {}): Promise<FileMetadata[]> =>
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

export const valueOf = (file: FileMetadata, fieldId: string): MetadataValue | null => file.values[fieldId] ?? null;

/** Returns the values that a file has for these fields; null for none. */
const pick = (file: FileMetadata, fieldIds: readonly string[]): MetadataChanges => Object.fromEntries(fieldIds.map((id) => [id, valueOf(file, id)]));

/** Groups files by the values that they have for these fields. */
export function groupByValues(files: readonly FileMetadata[], fieldIds: readonly string[]): { file_ids: number[]; values: MetadataChanges }[] {
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
