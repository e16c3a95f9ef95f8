import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { endAllSessions, signOut } from "../../api/session.ts";
import { applySignOut } from "../../queries/session.ts";
import { getLiveSubscriber } from "./live-updates.ts";

/**
 * Stops the live channel before the request, because the service closes the channel when it ends the session, which would otherwise look like an expired
 * session.
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
