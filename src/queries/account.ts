import { queryOptions, useQuery } from "@tanstack/react-query";
import * as operations from "../../contract/operations/accounts.ts";
import type { BodyOf } from "../api/http.ts";
import { inviteQueries } from "./invites.ts";
import { patchById, removeById } from "./lists.ts";
import { memberQueries } from "./members.ts";
import { fetchData, useOperation } from "./operations.ts";
import { useHasFeature } from "./service.ts";
import { ISSUED_ACCESS_KEY, sessionQueries, withAccount } from "./session.ts";

const tokenQueries = { all: () => queryOptions({ queryKey: [...ISSUED_ACCESS_KEY, "tokens"], queryFn: fetchData(operations.listTokens, {}) }) };

/** Updates the signed-in user's profile. */
export const useUpdateAccount = () =>
  useOperation(operations.updateAccount, (body: BodyOf<typeof operations.updateAccount>) => ({ body }), {
    onSuccess({ queryClient }, account) {
      queryClient.setQueryData(sessionQueries.current().queryKey, (session) => withAccount(session, account));
      queryClient.setQueryData(memberQueries.all().queryKey, patchById(account));
    },
  });

export const useChangePassword = () =>
  useOperation(operations.changePassword, (body: BodyOf<typeof operations.changePassword>) => ({ body }), {
    onSuccess: ({ queryClient }) => {
      void queryClient.invalidateQueries(tokenQueries.all());
      // Links created in other browsers end with them.
      void queryClient.invalidateQueries(inviteQueries.pending());
      void queryClient.invalidateQueries(memberQueries.passwordResets());
    },
  });

export const useTokens = () => useQuery({ ...tokenQueries.all(), enabled: useHasFeature("api-tokens") });

/** The response to a repeated request lacks the `token`. */
export const useCreateToken = () =>
  useOperation(operations.createToken, (body: BodyOf<typeof operations.createToken>) => ({ body }), {
    isIdempotent: true,
    // Only this response contains the secret, so the list is refetched without it.
    onSuccess: ({ queryClient }) => queryClient.invalidateQueries(tokenQueries.all()),
  });

export const useRevokeToken = () =>
  useOperation(operations.revokeToken, (token_id: number) => ({ params: { token_id } }), {
    onSuccess: ({ queryClient }, _, id) => queryClient.setQueryData(tokenQueries.all().queryKey, removeById(id)),
  });
