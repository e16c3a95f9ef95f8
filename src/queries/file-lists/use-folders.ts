import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useConnection } from "../live/connection.ts";
import { fileListQueries, pollInterval } from "./options.ts";
import { buildTree } from "./tree.ts";
import "./put.ts";

/** Returns a project's folders as a tree; undefined until loaded. */
export function useFolders(projectId: number) {
  const isLive = useConnection().state === "live";
  const { data, error, refetch } = useQuery({ ...fileListQueries.folders(projectId), refetchInterval: pollInterval(isLive) });
  const tree = useMemo(() => data && buildTree(data), [data]);
  return { tree, root: data?.find(({ parent_id }) => parent_id === null), error: data ? null : error, retry: () => void refetch() };
}
