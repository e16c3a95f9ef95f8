/** Queries the pending invites and the preview of an invite link, and creates and revokes invites. */
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useClient } from "../client/client.ts";
import { inviteMember, listInvites, type NewInvite, previewInvite, revokeInvite } from "../api/invites.ts";
import { useIdempotencyKey } from "./use-idempotency-key.ts";

export const inviteQueries = {
  /** Unused invites. */
  pending: () => queryOptions({ queryKey: ["invites"], queryFn: ({ signal, meta }) => listInvites(meta!.client.api, { signal }) }),
  preview: (token: string) =>
    queryOptions({
      queryKey: ["invite-preview", token],
      queryFn: ({ signal, meta }) => previewInvite(meta!.client.api, token, { signal }),
      staleTime: Infinity,
    }),
};

export const useInvites = () => useQuery(inviteQueries.pending());
export const useInvitePreview = (token: string) => useQuery({ ...inviteQueries.preview(token), enabled: token !== "" });

/** Resending the same form creates no second link; the repeated response lacks the `url`. */
export function useInviteMember() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: NewInvite) => inviteMember(client.api, body, idempotencyKeyFor(body)),
    onSuccess: () => client.queryClient.invalidateQueries(inviteQueries.pending()),
  });
}

export function useRevokeInvite() {
  const client = useClient();
  return useMutation({
    mutationFn: (id: number) => revokeInvite(client.api, id),
    onSuccess: (_, id) => client.queryClient.setQueryData(inviteQueries.pending().queryKey, (invites) => invites?.filter((invite) => invite.id !== id)),
  });
}
