import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { getProgressStore } from "./progress.ts";

/** Returns the processing progress of a version, 0 to 1; undefined until a signal arrives. */
export function useProgress(fileId: number, version: number): number | undefined {
  const store = getProgressStore(useQueryClient());
  return useSyncExternalStore(store.onChange, () => store.get(fileId, version));
}
