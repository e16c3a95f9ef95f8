import { useMemo } from "react";
import { useProjectMembers } from "../projects/use-projects.ts";
import { useSession } from "../session/use-session.ts";
import { useMembers } from "./use-members.ts";

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
