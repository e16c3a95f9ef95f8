import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { getProgressStore } from "./progress.ts";

/** How far the processing of a version has come, 0 to 1; undefined until something is heard. */
export function useProgress(fileId: number, version: number): number | undefined {
  const store = getProgressStore(useQueryClient());
  return useSyncExternalStore(store.onChange, () => store.get(fileId, version));
}
