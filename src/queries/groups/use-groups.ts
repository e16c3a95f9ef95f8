import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createGroup } from "../../api/groups.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { withGroup } from "./cache.ts";
import { groupQueries } from "./options.ts";

export const useGroups = () => useQuery(groupQueries.all());

/** Resending the same form creates no second group. */
export function useCreateGroup() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: Parameters<typeof createGroup>[0]) => createGroup(body, idempotencyKeyFor(body)),
    onSuccess: (group) => client.setQueryData(groupQueries.all().queryKey, (groups) => withGroup(groups, group)),
  });
}
