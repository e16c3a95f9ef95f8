import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { getPresenceStore } from "./nearby.ts";

/** Returns who has the project open; empty while the project is not followed. */
export function usePresentAccounts(projectId: number): readonly number[] {
  const presence = getPresenceStore(useQueryClient());
  return useSyncExternalStore(presence.onChange, () => presence.present(projectId));
}

/** Returns who is typing in the project, in the order in which they began. */
export function useTypingAccounts(projectId: number): readonly number[] {
  const presence = getPresenceStore(useQueryClient());
  return useSyncExternalStore(presence.onChange, () => presence.typing(projectId));
}
