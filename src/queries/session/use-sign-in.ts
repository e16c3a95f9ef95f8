/** The four ways to sign in; each returns the new session. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { acceptInvite } from "../../api/invites.ts";
import { resetPassword, setUp, signIn } from "../../api/session.ts";
import type { Session } from "../../../contract/access-records.ts";
import { serviceQueries } from "../service/options.ts";
import { applySignIn } from "./cache.ts";

function useSessionMutation<B>(send: (body: B) => Promise<Session>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: send, onSuccess: (session) => applySignIn(client, session) });
}

export const useSignIn = () => useSessionMutation(signIn);
export const useAcceptInvite = () => useSessionMutation(acceptInvite);
export const useResetPassword = () => useSessionMutation(resetPassword);
export function useSetUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: setUp,
    onSuccess: (session) => {
      applySignIn(client, session);
      client.removeQueries(serviceQueries.current());
    },
  });
}
