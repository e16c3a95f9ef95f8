/** Queries one file: its info, its versions, the shown version and its peaks. */
import { queryOptions, skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { FileEntry } from "../../../contract/file-records.ts";
import { getContent, getPeaks, listVersions, restoreVersion, retryProcessing } from "../../../contract/operations/files.ts";
import { correctTags, regenerateTags } from "../../../contract/operations/tags.ts";
import type { FileInfoResponse, PeaksInfo } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import { fetchBytes, getFileInfo } from "../../api/files.ts";
import { type Api, type BodyOf, buildUrl } from "../../api/http.ts";
import { archiveUrl } from "../../api/project-files.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { isInaccessible } from "../describe-error.ts";
import { fetchAll, fetchData, useOperation } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { applyProcessingState, fileKeys, invalidateFile } from "./cache-updates.ts";
import { isProcessing } from "./file-updates.ts";

/** Polling interval while a file is being processed, because the live channel may be down. */
const POLL_INTERVAL_MS = 4_000;

/** Ends with an error that another poll would not change, such as a refused token. */
export const processingPollInterval = ({ state: { data, error } }: { state: { data?: FileInfoResponse | undefined; error: Error | null } }) =>
  data && isProcessing(data.common.transcoding_status) && !(error instanceof ApiError && (error.status === 401 || error.failureKind === "refused"))
    ? POLL_INTERVAL_MS
    : false;

/** Data that never changes once it is loaded; reconnecting retries a failed query. */
const IMMUTABLE = { staleTime: Number.POSITIVE_INFINITY, refetchOnReconnect: true } as const;

const fileQueries = {
  info: (fileId: number) =>
    queryOptions({
      queryKey: fileKeys.info(fileId),
      queryFn: ({ signal, meta }) => getFileInfo(meta!.client.api, fileId, null, { signal }),
      refetchInterval: processingPollInterval,
    }),
  versions: (fileId: number) =>
    queryOptions({
      queryKey: [...fileKeys.file(fileId), "versions"] as const,
      queryFn: fetchAll((api, query, options) => api.call(listVersions, { params: { file_id: fileId }, query }, options)),
    }),
  /** The info of one version; a null `version` disables the query. */
  versionInfo: (fileId: number, version: number | null) =>
    queryOptions({
      queryKey: [...fileKeys.versions(fileId), version] as const,
      queryFn: version === null ? skipToken : ({ signal, meta }) => getFileInfo(meta!.client.api, fileId, version, { signal }),
      refetchInterval: processingPollInterval,
    }),
  /** The levels of peaks of a version, which never change. `version` is null when the service reports no versions, which disables the query. */
  levels: (fileId: number, version: number | null) =>
    queryOptions({
      queryKey: [...fileKeys.peaks(fileId), version] as const,
      queryFn: version === null ? skipToken : fetchData(getPeaks, { params: { file_id: fileId }, query: { version } }),
      ...IMMUTABLE,
    }),
  /** The peaks of the coarsest level with a value for every pixel of a drawing `pixels` wide; null when the service has none. */
  peaks: (fileId: number, version: number | null, pixels: number) =>
    queryOptions({
      queryKey: [...fileKeys.peaks(fileId), version, pixels] as const,
      queryFn:
        version === null
          ? skipToken
          : async ({ signal, meta }) => {
              const { api, queryClient } = meta!.client;
              const level = levelFor((await queryClient.ensureQueryData(fileQueries.levels(fileId, version))).levels, pixels);
              return level ? fetchBytes(api, level.url, { signal }) : null;
            },
      ...IMMUTABLE,
      structuralSharing: false,
    }),
};

/** Loads a file's info, if it `isNeeded`. */
export const useFileInfo = (fileId: number, isNeeded = true) => useQuery({ ...fileQueries.info(fileId), enabled: isNeeded });

/** Loads a file's info once it `isNeeded`, without following its changes. */
export const useFileInfoOnce = (fileId: number, isNeeded: boolean) =>
  useQuery({ ...fileQueries.info(fileId), enabled: ({ state }) => isNeeded && state.data === undefined && state.error === null, refetchInterval: false });

/** Returns a file's info, from the cache if any is there. */
export const fetchLoadedFileInfo = ({ queryClient }: ClientData, fileId: number): Promise<FileInfoResponse> =>
  queryClient.fetchQuery({ ...fileQueries.info(fileId), staleTime: Number.POSITIVE_INFINITY });

/** Returns a function that fetches a file's info once, without following its changes. */
export function useFetchFileInfo() {
  const client = useClient();
  return useCallback((fileId: number) => client.queryClient.fetchQuery({ ...fileQueries.info(fileId), retry: false }), [client]);
}

/** Processes a file again; the live channel reports the progress. */
export async function reprocess(client: ClientData, operation: typeof retryProcessing | typeof regenerateTags, fileId: number): Promise<void> {
  const hasEnded = client.queryState.processingProgress.watchEnds();
  const file = await client.api.data(operation, { params: { file_id: fileId } });
  // The event of the end of a short run can arrive before the response, which then shows an older state.
  if (!hasEnded(fileId, Number(file["version"] ?? 1))) applyProcessingState(client, file);
}

function useReprocess(operation: typeof retryProcessing | typeof regenerateTags) {
  const client = useClient();
  return useMutation({ mutationFn: (fileId: number) => reprocess(client, operation, fileId) });
}

/** Retries the failed processing of a file. */
export const useRetryProcessing = () => useReprocess(retryProcessing);

/** Corrects a file's tempo or key by hand. */
export function useCorrectTags(fileId: number) {
  const client = useClient();
  const queryKey = fileKeys.info(fileId);
  return useMutation({
    mutationFn: (body: BodyOf<typeof correctTags>) => client.api.call(correctTags, { params: { file_id: fileId }, body }),
    // Corrections run one after the other, so that the last one wins.
    scope: { id: `tags:${fileId}` },
    onMutate: () => client.queryClient.cancelQueries({ queryKey, exact: true }),
    onSuccess: (info) => {
      client.queryClient.setQueryData(queryKey, info);
      // The correction applies to every version. Its live event finds the info already updated and refetches nothing.
      void client.queryClient.invalidateQueries({ queryKey: fileKeys.versions(fileId) });
    },
    onError: () => void client.queryClient.invalidateQueries({ queryKey, exact: true }),
  });
}

/** Detects a file's tempo, key and tags again. */
export const useRegenerateTags = () => useReprocess(regenerateTags);

/**
 * Returns the requested version, or else the one that was newest when the page was opened. A newer version never replaces the shown one by itself; the
 * page only offers it.
 */
export function useShownVersion(newest: FileInfoResponse, requestedVersion: number | null) {
  const newestVersion = versionNumber(newest);
  const [initialVersion, setInitialVersion] = useState(newestVersion);
  const [lastRequestedVersion, setLastRequestedVersion] = useState(requestedVersion);
  if (requestedVersion !== lastRequestedVersion) {
    // Clearing the request selects the newest version.
    setLastRequestedVersion(requestedVersion);
    setInitialVersion(requestedVersion ?? newestVersion);
  }
  const version = requestedVersion ?? initialVersion;
  const isNewest = newestVersion === null || version === null || version === newestVersion;
  const result = useQuery(fileQueries.versionInfo(newest.common.id, isNewest ? null : version));
  const isMissing = !isNewest && isVersionMissing(version, result);
  // The previous version stays visible until the other one is loaded.
  const [previousInfo, setPreviousInfo] = useState(newest);
  const currentInfo = isNewest || isMissing ? newest : (result.data ?? previousInfo);
  if (currentInfo !== previousInfo) setPreviousInfo(currentInfo);
  // Name and status belong to the file, whichever version is shown.
  const info = currentInfo === newest ? newest : { ...currentInfo, common: { ...currentInfo.common, name: newest.common.name, status: newest.common.status } };
  return {
    /** Info of the shown version, or of the previous one while that loads. */
    info,
    /** Null when the service reports no versions. */
    version: versionNumber(currentInfo),
    newest: newestVersion,
    /** The requested version does not exist, or the service offers only the newest. */
    isMissing,
  };
}

/**
 * Returns whether the service lacks the requested version: it returns an error for it, or the newest version because it offers no others. After any other
 * error the version may exist, so the shown version stays.
 */
export function isVersionMissing(version: number | null, { data, error }: { data: FileInfoResponse | undefined; error: Error | null }): boolean {
  return data === undefined ? error !== null && isInaccessible(error) : versionNumber(data) !== version;
}

const versionNumber = ({ common }: FileInfoResponse): number | null => (typeof common["version"] === "number" ? common["version"] : null);

/** Returns a file's versions, newest first; a live event adds a new one. */
export const useVersions = (fileId: number) => useQuery(fileQueries.versions(fileId));

/** Returns the peaks of a level that is fine enough for `pixels`; when undefined or null, draw from `wave`. */
export const usePeaks = (fileId: number, version: number | null, pixels: number) => useQuery(fileQueries.peaks(fileId, version, pixels)).data;

/** Returns the levels of peaks, whose values are fetched in tiles; undefined until loaded. */
export const usePeakLevels = (fileId: number, version: number | null) => useQuery(fileQueries.levels(fileId, version)).data;

type Level = PeaksInfo["levels"][number];

/** Returns the coarsest level with a value for each of `pixels`, or else the finest one available. */
export function levelFor(levels: readonly Level[], pixels: number): Level | undefined {
  const byLength = levels.toSorted((a, b) => a.length - b.length);
  return byLength.find(({ length }) => length >= pixels) ?? byLength.at(-1);
}

/** Returns the download URL of the original file in the entry's version. */
export const originalFileUrl = (api: Api, { id, version }: Pick<FileEntry, "id" | "version">): string =>
  api.address(buildUrl(getContent.path, { file_id: id, number: version, variant: "original" }, { download: 1 }));

/** Returns the download URL of several files as one zip; null if the service makes none. */
export function useArchiveUrl(files: readonly { id: number }[], name: string): string | null {
  const { api } = useClient();
  const ids = files.map(({ id }) => id);
  return useHasFeature("files-view") && ids.every((id) => id > 0) ? archiveUrl(api, ids, name) : null;
}

/** Adds a version with the bytes of an earlier one. */
export const useRestoreVersion = (fileId: number) =>
  useOperation(restoreVersion, (number: number) => ({ params: { file_id: fileId, number } }), { onSuccess: (client) => invalidateFile(client, fileId) });
