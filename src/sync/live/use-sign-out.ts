import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { endAllSessions, signOut } from "../../api/session.ts";
import { applySignOut } from "../../queries/session.ts";
import { getLiveSubscriber } from "./live-updates.ts";

/**
 * The service closes the live channel when it ends the session, so the client stops first; otherwise the session would seem to have ended by
 * itself.
 */
const signOutHandlers = (client: QueryClient) => ({
  onMutate: () => getLiveSubscriber(client).stop(),
  onError: () => getLiveSubscriber(client).start(),
  onSuccess: () => applySignOut(client),
});

/** Signs out in this browser. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({ mutationFn: signOut, ...signOutHandlers(client) });
}

/** Signs out in every browser, including this one. */
export function useSignOutEverywhere() {
  const client = useQueryClient();
  return useMutation({ mutationFn: endAllSessions, ...signOutHandlers(client) });
}
