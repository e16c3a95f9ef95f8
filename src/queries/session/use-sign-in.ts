/** The four ways in; each answers the new session. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { acceptInvite } from "../../api/invites.ts";
import { resetPassword, setUp, signIn } from "../../api/session.ts";
import type { Session } from "../../../contract/access-records.ts";
import { serviceQueries } from "../service/options.ts";
import { enter } from "./cache.ts";

function useEntry<B>(send: (body: B) => Promise<Session>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: send, onSuccess: (session) => enter(client, session) });
}

export const useSignIn = () => useEntry(signIn);
export const useAcceptInvite = () => useEntry(acceptInvite);
export const useResetPassword = () => useEntry(resetPassword);
export function useSetUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: setUp,
    onSuccess: (session) => {
      enter(client, session);
      client.removeQueries(serviceQueries.current());
    },
  });
}
