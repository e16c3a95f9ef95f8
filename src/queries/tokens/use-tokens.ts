import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createToken, revokeToken } from "../../api/tokens.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { tokenQueries } from "./options.ts";

export const useTokens = () => useQuery(tokenQueries.all());

/** Sending the same form again creates nothing twice: it is answered without the `token`. */
export function useCreateToken() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: Parameters<typeof createToken>[0]) => createToken(body, idempotencyKeyFor(body)),
    // The secret stays in this answer only: the list is read anew without it.
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
