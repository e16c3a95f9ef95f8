import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { fileQueries } from "./options.ts";

/** Has what the service knows of a file, for one moment and without a view of it. */
export function useFetchFileInfo() {
  const client = useQueryClient();
  return useCallback((fileId: number) => client.fetchQuery({ ...fileQueries.info(fileId), retry: false }), [client]);
}
