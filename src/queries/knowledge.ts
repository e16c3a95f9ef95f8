/** Queries the text of a file, page by page, and finds text in it. */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { getFilePage, listFilePages, searchKnowledgeBase } from "../../contract/operations/knowledge.ts";
import { fetchRange } from "../api/files.ts";
import { useClient } from "../client/client.ts";
import { fileKeys } from "./files/cache-updates.ts";
import { fetchData } from "./operations.ts";

const MAX_FOUND = 50;

/** Below the keys of the file, so that its events load the text again once it has been read. */
const textQueries = {
  state: (fileId: number, version: number) =>
    queryOptions({
      queryKey: [...fileKeys.texts(fileId), version] as const,
      queryFn: ({ signal, meta }) => meta!.client.api.call(listFilePages, { params: { file_id: fileId }, query: { version, limit: 1 } }, { signal }),
    }),
  tagged: (fileId: number, version: number) =>
    queryOptions({
      queryKey: [...fileKeys.file(fileId), "tagged-text", version] as const,
      queryFn: fetchData(listFilePages, { params: { file_id: fileId }, query: { version } }),
    }),
  page: (fileId: number, version: number, number: number) =>
    queryOptions({
      queryKey: [...fileKeys.texts(fileId), version, number] as const,
      queryFn: fetchData(getFilePage, { params: { file_id: fileId, number }, query: { version } }),
    }),
  found: (fileId: number, version: number, query: string) =>
    queryOptions({
      queryKey: [...fileKeys.file(fileId), "found", version, query] as const,
      queryFn: ({ signal, meta }) => meta!.client.api.call(searchKnowledgeBase, { query: { query, file_id: fileId, version, limit: MAX_FOUND } }, { signal }),
    }),
};

/** Returns what became of the text of a version, and how many pages there are. */
export const useFileText = (fileId: number, version: number) => useQuery(textQueries.state(fileId, version));

/** Returns the lyrics and notes in the tags of a version. */
export const useTaggedTexts = (fileId: number, version: number) => useQuery(textQueries.tagged(fileId, version));

export const useFilePage = (fileId: number, version: number, number: number) =>
  useQuery({ ...textQueries.page(fileId, version, number), placeholderData: keepPreviousData });

/** Finds pages of a version; "" sends no request. */
export const useFindInFile = (fileId: number, version: number, query: string) =>
  useQuery({ ...textQueries.found(fileId, version, query), enabled: query !== "" });

/** Returns a function that fetches the bytes of a record's URL from `from` up to `to`, which is not included. */
export function useReadRange(url: string): (from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer> {
  const { api } = useClient();
  return useCallback((from, to, signal) => fetchRange(api, url, from, to, { signal }), [api, url]);
}
