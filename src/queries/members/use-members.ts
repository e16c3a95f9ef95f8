import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createPasswordReset, updateMember } from "../../api/members.ts";
import type { Role } from "../../../contract/records.ts";
import { sessionQueries } from "../session/options.ts";
import { withMember } from "./cache.ts";
import { memberQueries } from "./options.ts";

export const useMembers = () => useQuery(memberQueries.all());

export function useUpdateMember() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...changes }: { id: number; role?: Role; disabled?: boolean }) => updateMember(id, changes),
    onSuccess: (member) => {
      client.setQueryData(memberQueries.all().queryKey, (members) => withMember(members, member));
      // The user's own role decides what the whole page offers.
      client.setQueryData(sessionQueries.current().queryKey, (session) => (session?.account.id === member.id ? { ...session, role: member.role } : session));
    },
  });
}

/** Creates a link with which the person sets a new password. */
export const usePasswordResetLink = () => useMutation({ mutationFn: createPasswordReset });
