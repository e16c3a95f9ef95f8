import { useMemo } from "react";
import { useProjectMembers } from "../projects/use-projects.ts";
import { useSession } from "../session/use-session.ts";
import { useMembers } from "./use-members.ts";

export interface Person {
  name: string;
  avatarUrl: string | null;
}

/** Who can be mentioned in a project: its people, without whoever writes. */
export function useMentionable(projectId: number): readonly (Person & { id: number; email: string })[] {
  const { account } = useSession();
  const inProject = useProjectMembers(projectId).data;
  return useMemo(
    () =>
      (inProject ?? []).filter(({ id }) => id !== account.id).map((one) => ({ id: one.id, name: one.username, email: one.email, avatarUrl: one.avatar_url })),
    [inProject, account.id],
  );
}

/** Who is behind an account id in a project: its people, and everybody else whom this person sees. Undefined: nobody known. */
export function usePeople(projectId: number): (accountId: number) => Person | undefined {
  const { account } = useSession();
  const members = useMembers().data;
  const inProject = useProjectMembers(projectId).data;
  return useMemo(() => {
    const people = new Map<number, Person>();
    for (const one of [...(members ?? []), ...(inProject ?? []), account]) people.set(one.id, { name: one.username, avatarUrl: one.avatar_url });
    return (accountId) => people.get(accountId);
  }, [members, inProject, account]);
}
