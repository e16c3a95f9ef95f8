import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { endAllSessions } from "../../api/sessions.ts";
import { signOut } from "../../api/session.ts";
import { liveOf } from "../live/live-of.ts";
import { leave } from "./cache.ts";

/** The service closes the live channel with the session: who leaves hangs up first, or it would be told as a session that ended by itself. */
const leaving = (client: QueryClient) => ({
  onMutate: () => liveOf(client).stop(),
  onError: () => liveOf(client).start(),
  onSuccess: () => leave(client),
});

/** Signs out in this browser. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({ mutationFn: signOut, ...leaving(client) });
}

/** Signs out in every browser, this one too. */
export function useSignOutEverywhere() {
  const client = useQueryClient();
  return useMutation({ mutationFn: endAllSessions, ...leaving(client) });
}
