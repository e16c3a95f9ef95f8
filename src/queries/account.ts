import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useClient } from "../client/client.ts";
import { changePassword, createToken, listTokens, revokeToken, updateAccount } from "../api/accounts.ts";
import { memberQueries, withMember } from "./members.ts";
import { sessionQueries, withAccount } from "./session.ts";
import { useIdempotencyKey } from "./use-idempotency-key.ts";

const tokenQueries = {
  all: () => queryOptions({ queryKey: ["tokens"], queryFn: ({ signal, meta }) => listTokens(meta!.client.api, { signal }) }),
};

/** Updates the signed-in user's profile. */
export function useUpdateAccount() {
  const client = useClient();
  return useMutation({
    mutationFn: (body: Parameters<typeof updateAccount>[1]) => updateAccount(client.api, body),
    onSuccess: (account) => {
      client.queryClient.setQueryData(sessionQueries.current().queryKey, (session) => withAccount(session, account));
      client.queryClient.setQueryData(memberQueries.all().queryKey, (members) => withMember(members, account));
    },
  });
}

export function useChangePassword() {
  const { api } = useClient();
  return useMutation({ mutationFn: (body: Parameters<typeof changePassword>[1]) => changePassword(api, body) });
}

export const useTokens = () => useQuery(tokenQueries.all());

/** Resending the same form creates nothing twice; the repeated response lacks the `token`. */
export function useCreateToken() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: Parameters<typeof createToken>[1]) => createToken(client.api, body, idempotencyKeyFor(body)),
    // Only this response contains the secret, so the list is refetched without it.
    onSuccess: () => client.queryClient.invalidateQueries(tokenQueries.all()),
  });
}

export function useRevokeToken() {
  const client = useClient();
  return useMutation({
    mutationFn: (id: number) => revokeToken(client.api, id),
    onSuccess: (_, id) => client.queryClient.setQueryData(tokenQueries.all().queryKey, (tokens) => tokens?.filter((token) => token.id !== id)),
  });
}
