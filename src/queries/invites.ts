/** Queries the pending invites and the preview of an invite link, and creates and revokes invites. */
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { inviteMember, listInvites, type NewInvite, previewInvite, revokeInvite } from "../api/invites.ts";
import { useIdempotencyKey } from "./use-idempotency-key.ts";

export const inviteQueries = {
  /** Unused invites. */
  pending: () => queryOptions({ queryKey: ["invites"], queryFn: ({ signal }) => listInvites({ signal }) }),
  preview: (token: string) =>
    queryOptions({ queryKey: ["invite-preview", token], queryFn: ({ signal }) => previewInvite(token, { signal }), staleTime: Infinity }),
};

export const useInvites = () => useQuery(inviteQueries.pending());
export const useInvitePreview = (token: string) => useQuery({ ...inviteQueries.preview(token), enabled: token !== "" });

/** Resending the same form creates no second link; the repeated response lacks the `url`. */
export function useInviteMember() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: NewInvite) => inviteMember(body, idempotencyKeyFor(body)),
    onSuccess: () => client.invalidateQueries(inviteQueries.pending()),
  });
}

export function useRevokeInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: revokeInvite,
    onSuccess: (_, id) => client.setQueryData(inviteQueries.pending().queryKey, (invites) => invites?.filter((invite) => invite.id !== id)),
  });
}
