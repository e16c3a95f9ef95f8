/** Queries the members of the organization and the people of a project, and changes members. */
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Member, Role } from "../../contract/records.ts";
import { useClient } from "../client/client.ts";
import { createPasswordReset, listMembers, updateMember } from "../api/accounts.ts";
import { useProjectMembers } from "./projects.ts";
import { sessionQueries, useSession } from "./session.ts";

export const memberQueries = {
  /** Everybody whom the user can see. */
  all: () => queryOptions({ queryKey: ["members"], queryFn: ({ signal, meta }) => listMembers(meta!.client.api, { signal }), staleTime: 60_000 }),
};

export const useMembers = () => useQuery(memberQueries.all());

export function useUpdateMember() {
  const client = useClient();
  return useMutation({
    mutationFn: ({ id, ...changes }: { id: number; role?: Role; disabled?: boolean }) => updateMember(client.api, id, changes),
    onSuccess: (member) => {
      client.queryClient.setQueryData(memberQueries.all().queryKey, (members) => withMember(members, member));
      // The session contains the user's own role, which determines the permissions.
      client.queryClient.setQueryData(sessionQueries.current().queryKey, (session) =>
        session?.account.id === member.id ? { ...session, role: member.role } : session,
      );
    },
  });
}

/** Creates a link with which the person sets a new password. */
export function usePasswordResetLink() {
  const { api } = useClient();
  return useMutation({ mutationFn: (id: number) => createPasswordReset(api, id) });
}

export interface Person {
  name: string;
  avatarUrl: string | null;
}

/** Returns the people whom the user can mention in a project: its members without the user. */
export function useMentionable(projectId: number): readonly (Person & { id: number; email: string })[] {
  const { account } = useSession();
  const projectMembers = useProjectMembers(projectId).data;
  return useMemo(
    () =>
      (projectMembers ?? [])
        .filter(({ id }) => id !== account.id)
        .map((member) => ({ id: member.id, name: member.username, email: member.email, avatarUrl: member.avatar_url })),
    [projectMembers, account.id],
  );
}

/** Returns a lookup of people by account id: the project's members and everybody else whom the user can see. Undefined for an unknown id. */
export function usePeople(projectId: number): (accountId: number) => Person | undefined {
  const { account } = useSession();
  const members = useMembers().data;
  const projectMembers = useProjectMembers(projectId).data;
  return useMemo(() => {
    const people = new Map<number, Person>();
    for (const person of [...(members ?? []), ...(projectMembers ?? []), account])
      people.set(person.id, { name: person.username, avatarUrl: person.avatar_url });
    return (accountId) => people.get(accountId);
  }, [members, projectMembers, account]);
}

/** Applies a change to one member; an unknown person is not added, since an event does not carry the full record. */
export function withMember(members: Member[] | undefined, change: Partial<Member> & { id: number }): Member[] | undefined {
  return members?.map((member) => (member.id === change.id ? { ...member, ...change } : member));
}
