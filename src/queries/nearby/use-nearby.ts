import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { getPresenceStore } from "./nearby.ts";

/** Who has the project open now. Empty while it is not followed. */
export function usePresentAccounts(projectId: number): readonly number[] {
  const presence = getPresenceStore(useQueryClient());
  return useSyncExternalStore(presence.onChange, () => presence.present(projectId));
}

/** Who is writing in the project, first come first. */
export function useTypingAccounts(projectId: number): readonly number[] {
  const presence = getPresenceStore(useQueryClient());
  return useSyncExternalStore(presence.onChange, () => presence.typing(projectId));
}
