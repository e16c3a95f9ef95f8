import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { fileQueries } from "./options.ts";

/** Fetches a file's info once, without a view of it. */
export function useFetchFileInfo() {
  const client = useQueryClient();
  return useCallback((fileId: number) => client.fetchQuery({ ...fileQueries.info(fileId), retry: false }), [client]);
}
