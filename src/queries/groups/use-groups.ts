import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createGroup } from "../../api/groups.ts";
import { withGroup } from "./cache.ts";
import { groupQueries } from "./options.ts";

export const useGroups = () => useQuery(groupQueries.all());

/** `key` is made once per form, so that a second press creates nothing twice. */
export function useCreateGroup(key: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Parameters<typeof createGroup>[0]) => createGroup(body, key),
    onSuccess: (group) => client.setQueryData(groupQueries.all().queryKey, (groups) => withGroup(groups, group)),
  });
}
