import { queryOptions } from "@tanstack/react-query";
import { listInvites, previewInvite } from "../../api/invites.ts";

export const inviteQueries = {
  /** Invites that nobody has used yet. */
  open: () => queryOptions({ queryKey: ["invites"], queryFn: ({ signal }) => listInvites({ signal }) }),
  preview: (token: string) =>
    queryOptions({ queryKey: ["invite-preview", token], queryFn: ({ signal }) => previewInvite(token, { signal }), staleTime: Infinity }),
};
