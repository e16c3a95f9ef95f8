import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changePassword, createToken, listTokens, revokeToken, updateAccount } from "../api/accounts.ts";
import { memberQueries, withMember } from "./members.ts";
import { sessionQueries, withAccount } from "./session.ts";
import { useIdempotencyKey } from "./use-idempotency-key.ts";

const tokenQueries = {
  all: () => queryOptions({ queryKey: ["tokens"], queryFn: ({ signal }) => listTokens({ signal }) }),
};

/** Updates the signed-in user's profile. */
export function useUpdateAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: updateAccount,
    onSuccess: (account) => {
      client.setQueryData(sessionQueries.current().queryKey, (session) => withAccount(session, account));
      client.setQueryData(memberQueries.all().queryKey, (members) => withMember(members, account));
    },
  });
}

export const useChangePassword = () => useMutation({ mutationFn: changePassword });

export const useTokens = () => useQuery(tokenQueries.all());

/** Resending the same form creates nothing twice; the repeated response lacks the `token`. */
export function useCreateToken() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: Parameters<typeof createToken>[0]) => createToken(body, idempotencyKeyFor(body)),
    // Only this response contains the secret, so the list is refetched without it.
    onSuccess: () => client.invalidateQueries(tokenQueries.all()),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: revokeToken,
    onSuccess: (_, id) => client.setQueryData(tokenQueries.all().queryKey, (tokens) => tokens?.filter((token) => token.id !== id)),
  });
}
