import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { removeAvatar, setAvatar } from "../../contract/operations/account-profiles.ts";
import * as operations from "../../contract/operations/accounts.ts";
import type { Account } from "../../contract/records.ts";
import type { BodyOf } from "../api/http.ts";
import { type ClientData, useClient } from "../client/client.ts";
import { inviteQueries } from "./invites.ts";
import { patchById, removeById } from "./lists.ts";
import { memberQueries } from "./members.ts";
import { fetchData, useOperation } from "./operations.ts";
import { useHasFeature } from "./service.ts";
import { ISSUED_ACCESS_KEY, sessionQueries, withAccount } from "./session.ts";

/** Milliseconds for sending a picture over a slow line, and for processing it. */
const AVATAR_TIMEOUT_MS = 60_000;

const tokenQueries = { all: () => queryOptions({ queryKey: [...ISSUED_ACCESS_KEY, "tokens"], queryFn: fetchData(operations.listTokens, {}) }) };

/** Updates the signed-in user's profile. */
export const useUpdateAccount = () =>
  useOperation(operations.updateAccount, (body: BodyOf<typeof operations.updateAccount>) => ({ body }), {
    onSuccess: applyOwnAccount,
  });

function applyOwnAccount({ queryClient }: ClientData, account: Account): void {
  queryClient.setQueryData(sessionQueries.current().queryKey, (session) => withAccount(session, account));
  queryClient.setQueryData(memberQueries.all().queryKey, patchById(account));
}

/** Uploads the signed-in user's picture. */
export function useSetAvatar() {
  const client = useClient();
  return useMutation({
    mutationFn: (picture: Blob) => client.api.data(setAvatar, {}, { bytes: picture, timeoutMs: AVATAR_TIMEOUT_MS }),
    onSuccess: (account) => applyOwnAccount(client, account),
  });
}

export const useRemoveAvatar = () => useOperation(removeAvatar, () => ({}), { onSuccess: applyOwnAccount });

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
