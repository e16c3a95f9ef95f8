/** Queries the pending invites and the preview of an invite link, and creates and revokes invites. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { inviteMember, listInvites, previewInvite, revokeInvite } from "../../contract/operations/teams.ts";
import type { BodyOf } from "../api/http.ts";
import { removeById } from "./lists.ts";
import { fetchData, useOperation } from "./operations.ts";

export const inviteQueries = {
  /** Unused invites. */
  pending: () => queryOptions({ queryKey: ["invites"], queryFn: fetchData(listInvites, {}) }),
  preview: (token: string) =>
    queryOptions({ queryKey: ["invite-preview", token], queryFn: fetchData(previewInvite, { body: { token } }), staleTime: Infinity }),
};

export const useInvites = () => useQuery(inviteQueries.pending());
export const useInvitePreview = (token: string) => useQuery({ ...inviteQueries.preview(token), enabled: token !== "" });

/** The response to a repeated request lacks the `url`. */
export const useInviteMember = () =>
  useOperation(inviteMember, (body: BodyOf<typeof inviteMember>) => ({ body }), {
    isIdempotent: true,
    onSuccess: ({ queryClient }) => queryClient.invalidateQueries(inviteQueries.pending()),
  });

export const useRevokeInvite = () =>
  useOperation(revokeInvite, (invite_id: number) => ({ params: { invite_id } }), {
    onSuccess: ({ queryClient }, _, id) => queryClient.setQueryData(inviteQueries.pending().queryKey, removeById(id)),
  });
