/** The metadata of files: loads it, shows changes at once, and reports what another person set meanwhile. */
import { queryOptions, useMutation, useMutationState, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { MetadataChanges, MetadataValues } from "../../../contract/metadata-records.ts";
import * as operations from "../../../contract/operations/metadata.ts";
import { ApiError } from "../../api/api-error.ts";
import { useClient } from "../../client/client.ts";
import { fetchData } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { metadataKeys, upsertFileMetadata } from "./cache-updates.ts";

const fileMetadataQuery = (fileId: number) =>
  queryOptions({ queryKey: metadataKeys.file(fileId), queryFn: fetchData(operations.getFileMetadata, { params: { file_id: fileId } }) });

export interface ValueChange {
  values: MetadataChanges;
  /** The values that the fields had when the person began to edit; left out to overwrite whatever is there. */
  ifValues?: MetadataChanges;
}

/** Returns the values with the changes applied; null removes a value. */
export function applyValueChanges(values: MetadataValues, changes: MetadataChanges): MetadataValues {
  const next: MetadataValues = { ...values };
  for (const [fieldId, value] of Object.entries(changes)) {
    if (value === null) delete next[fieldId];
    else next[fieldId] = value;
  }
  return next;
}

const changeKey = (fileId: number) => ["change-metadata", fileId] as const;

/** Returns the values of a file with the changes that the service has not confirmed. */
export function useFileMetadata(fileId: number) {
  const query = useQuery({ ...fileMetadataQuery(fileId), enabled: useHasFeature("metadata") });
  const pending = useMutationState({ filters: { mutationKey: changeKey(fileId), status: "pending" }, select: ({ state }) => state.variables as ValueChange });
  const values = useMemo(
    () => query.data && pending.reduce<MetadataValues>((current, change) => applyValueChanges(current, change.values), query.data.values),
    [query.data, pending],
  );
  return { ...query, values };
}

/** Changes values of one file. Changes run one after another, and one that fails disappears again. */
export function useChangeFileMetadata(fileId: number) {
  const client = useClient();
  return useMutation({
    mutationKey: changeKey(fileId),
    scope: { id: `metadata-${fileId}` },
    mutationFn: ({ values, ifValues }: ValueChange) =>
      client.api.data(operations.updateFileMetadata, {
        params: { file_id: fileId },
        body: { values, ...(ifValues === undefined ? {} : { if_values: ifValues }) },
      }),
    onSuccess: (metadata) => upsertFileMetadata(client, metadata),
    onError: (error) => {
      if (currentValuesOf(error)) return client.queryClient.invalidateQueries({ queryKey: metadataKeys.file(fileId) });
    },
  });
}

/** Returns the values that a file has by now, if a change was refused because somebody else had set them; else null. */
export const currentValuesOf = (error: unknown): MetadataValues | null => (error instanceof ApiError && error.status === 409 && error.currentValues) || null;

/** Returns what the tags of the current version propose for fields with the same tag. */
export const useMetadataSuggestions = (fileId: number, version: number | null, isEnabled: boolean) =>
  useQuery({
    queryKey: [...metadataKeys.file(fileId), "suggestions", version] as const,
    queryFn: fetchData(operations.getMetadataSuggestions, { params: { file_id: fileId } }),
    enabled: useHasFeature("metadata") && isEnabled,
  });
