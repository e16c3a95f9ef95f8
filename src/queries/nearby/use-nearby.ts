import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { nearbyOf } from "./nearby.ts";

/** Who has the project open now. Empty while it is not followed. */
export function usePresent(projectId: number): readonly number[] {
  const nearby = nearbyOf(useQueryClient());
  return useSyncExternalStore(nearby.onChange, () => nearby.present(projectId));
}

/** Who is writing in the project, first come first. */
export function useTyping(projectId: number): readonly number[] {
  const nearby = nearbyOf(useQueryClient());
  return useSyncExternalStore(nearby.onChange, () => nearby.typing(projectId));
}
