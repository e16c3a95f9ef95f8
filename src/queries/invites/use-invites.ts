import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { inviteMember, revokeInvite, type NewInvite } from "../../api/invites.ts";
import { inviteQueries } from "./options.ts";

export const useInvites = () => useQuery(inviteQueries.open());
export const useInvitePreview = (token: string) => useQuery({ ...inviteQueries.preview(token), enabled: token !== "" });

/** `key` is made once per form, so that a second press makes no second link. */
export function useInviteMember(key: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewInvite) => inviteMember(body, key),
    onSuccess: () => client.invalidateQueries(inviteQueries.open()),
  });
}

export function useRevokeInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: revokeInvite,
    onSuccess: (_, id) => client.setQueryData(inviteQueries.open().queryKey, (invites) => invites?.filter((invite) => invite.id !== id)),
  });
}
