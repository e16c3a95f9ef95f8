import { useMutation } from "@tanstack/react-query";
import { endAllSessions, signOut } from "../../../contract/operations/session.ts";
import { clearChosenConnection } from "../../api/connection.ts";
import { useClient } from "../../client/client.ts";
import { applySignOut } from "../../queries/session.ts";

/**
 * Stops the live channel before the request, because the service closes the channel when it ends the session, which would otherwise look like an expired
 * session.
 */
function useSignOutBy(operation: typeof signOut | typeof endAllSessions) {
  const client = useClient();
  return useMutation({
    // With a token there is no session to end: this device forgets the token.
    mutationFn: async () => (client.api.usesSession ? client.api.call(operation, {}) : clearChosenConnection()),
    onMutate: () => client.live.stop(),
    onError: () => client.live.start(),
    onSuccess: () => applySignOut(client),
  });
}

/** Signs out in this browser. */
export const useSignOut = () => useSignOutBy(signOut);

/** Signs out in every browser, including this one. */
export const useSignOutEverywhere = () => useSignOutBy(endAllSessions);
