/** Queries the members of the organization and the people of a project, and changes members. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import * as operations from "../../contract/operations/accounts.ts";
import type { Account, Role } from "../../contract/records.ts";
import { t } from "../lib/texts/common.ts";
import { inviteQueries } from "./invites.ts";
import { patchById, removeById } from "./lists.ts";
import { fetchAll, fetchData, useOperation } from "./operations.ts";
import { useProjectMembers } from "./projects.ts";
import { useHasFeature } from "./service.ts";
import { sessionQueries, useSession } from "./session.ts";

export const memberQueries = {
  /** Everybody whom the user can see. */
  all: () =>
    queryOptions({
      queryKey: ["members"],
      queryFn: fetchAll((api, query, options) => api.call(operations.listMembers, { query }, options)),
      staleTime: 60_000,
    }),
  /** Password reset links that can still be used; only owners may see them. */
  passwordResets: () => queryOptions({ queryKey: ["password-resets"], queryFn: fetchData(operations.listPasswordResets, {}) }),
};

export const useMembers = () => useQuery({ ...memberQueries.all(), enabled: useHasFeature("members") });

export const useUpdateMember = () =>
  useOperation(operations.updateMember, ({ id, ...body }: { id: number; role?: Role; disabled?: boolean }) => ({ params: { account_id: id }, body }), {
    onSuccess({ queryClient }, member) {
      queryClient.setQueryData(memberQueries.all().queryKey, patchById(member));
      // The session contains the user's own role, which determines the permissions.
      queryClient.setQueryData(sessionQueries.current().queryKey, (session) =>
        session?.account.id === member.id ? { ...session, role: member.role } : session,
      );
      // Links that the person created end with the right to create them.
      void queryClient.invalidateQueries(inviteQueries.pending());
      void queryClient.invalidateQueries(memberQueries.passwordResets());
    },
  });

/** Makes a person an owner; with `step_down` the user becomes an admin. */
export const useTransferOwnership = (accountId: number) =>
  useOperation(operations.transferOwnership, (body: { password: string; step_down: boolean }) => ({ params: { account_id: accountId }, body }), {
    onSuccess({ queryClient }, member, { step_down }) {
      queryClient.setQueryData(memberQueries.all().queryKey, patchById(member));
      if (!step_down) return;
      // What only owners see goes with the role.
      queryClient.setQueryData(sessionQueries.current().queryKey, (session) => (session ? { ...session, role: "admin" as const } : session));
      void queryClient.invalidateQueries(memberQueries.all());
    },
  });

/** Renames the organization. */
export const useRenameOrganisation = () =>
  useOperation(operations.updateOrganisation, (body: { name: string }) => ({ body }), {
    onSuccess: ({ queryClient }, organisation) =>
      queryClient.setQueryData(sessionQueries.current().queryKey, (session) => (session ? { ...session, organisation } : session)),
  });

/** Creates a link with which the person sets a new password; the link works once, for 24 hours. */
export const usePasswordResetLink = () =>
  useOperation(operations.createPasswordReset, (account_id: number) => ({ params: { account_id } }), {
    onSuccess: ({ queryClient }) => queryClient.invalidateQueries(memberQueries.passwordResets()),
  });

export const usePasswordResets = () => useQuery(memberQueries.passwordResets());

export const useRevokePasswordReset = () =>
  useOperation(operations.revokePasswordReset, (reset_id: number) => ({ params: { reset_id } }), {
    onSuccess: ({ queryClient }, _, id) => queryClient.setQueryData(memberQueries.passwordResets().queryKey, removeById(id)),
  });

export interface Person {
  name: string;
  avatarUrl: string | null;
  /** Shown without a picture, instead of the initials of the name. */
  initials?: string;
  /** Absent for services that list no members. */
  account?: PersonAccount;
}

/** `role` is absent of people who are neither listed nor in the project. */
export type PersonAccount = Account & { role?: Role };

/** Names accounts by their ids, for services that list no members. 0 is an unknown account. */
export const personOfAccount = (accountId: number): Person => ({
  name: accountId > 0 ? t("account", { id: String(accountId) }) : t("unknownAccount"),
  avatarUrl: null,
  // Names that all begin with "Account" have the same initials.
  initials: accountId > 0 ? String(accountId).slice(-2) : "?",
});

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
  const { account, role } = useSession();
  const members = useMembers().data;
  const projectMembers = useProjectMembers(projectId).data;
  const areListed = useHasFeature("members");
  return useMemo(() => {
    const people = new Map<number, Person>();
    for (const person of [...(members ?? []), ...(projectMembers ?? []), { ...account, role }])
      people.set(person.id, { name: person.username, avatarUrl: person.avatar_url, account: person });
    return (accountId) => people.get(accountId) ?? (areListed ? undefined : personOfAccount(accountId));
  }, [members, projectMembers, account, role, areListed]);
}
