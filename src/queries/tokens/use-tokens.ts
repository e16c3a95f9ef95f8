import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createToken, revokeToken } from "../../api/tokens.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { tokenQueries } from "./options.ts";

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
