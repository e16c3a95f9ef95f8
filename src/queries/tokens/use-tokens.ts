import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createToken, revokeToken } from "../../api/tokens.ts";
import { tokenQueries } from "./options.ts";

export const useTokens = () => useQuery(tokenQueries.all());

/** `key` is made once per form, so that a second press creates nothing twice. */
export function useCreateToken(key: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Parameters<typeof createToken>[0]) => createToken(body, key),
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
