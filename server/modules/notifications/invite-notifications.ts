import type { OnInviteAccepted } from "../projects/invites.ts";
import type { Notify } from "./notify.ts";

/** Notifies whoever has invited somebody that they have joined. */
export const createInviteNotifier =
  (notify: Notify): OnInviteAccepted =>
  (tx, invite, account) =>
    notify(tx, [
      {
        kind: "invite_accepted",
        actorId: account.id,
        projectId: null,
        recipientIds: [invite.created_by],
        dedupeKey: `invite:${invite.id}`,
        isRenewed: false,
        subject: {},
      },
    ]);
