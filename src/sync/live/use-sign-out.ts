import { useMutation } from "@tanstack/react-query";
import { type Client, useClient } from "../../client/client.ts";
import { endAllSessions, signOut } from "../../api/session.ts";
import { applySignOut } from "../../queries/session.ts";

/**
 * Stops the live channel before the request, because the service closes the channel when it ends the session, which would otherwise look like an expired
 * session.
 */
const signOutHandlers = (client: Client) => ({
  onMutate: () => client.live.stop(),
  onError: () => client.live.start(),
  onSuccess: () => applySignOut(client),
});

/** Signs out in this browser. */
export function useSignOut() {
  const client = useClient();
  return useMutation({ mutationFn: () => signOut(client.api), ...signOutHandlers(client) });
}

/** Signs out in every browser, including this one. */
export function useSignOutEverywhere() {
  const client = useClient();
  return useMutation({ mutationFn: () => endAllSessions(client.api), ...signOutHandlers(client) });
}
