import { queryOptions } from "@tanstack/react-query";
import { listInvites, previewInvite } from "../../api/invites.ts";

export const inviteQueries = {
  /** Unused invites. */
  open: () => queryOptions({ queryKey: ["invites"], queryFn: ({ signal }) => listInvites({ signal }) }),
  preview: (token: string) =>
    queryOptions({ queryKey: ["invite-preview", token], queryFn: ({ signal }) => previewInvite(token, { signal }), staleTime: Infinity }),
};
