import { Link2 } from "lucide-react";
import type { Invite } from "../../../../contract/access-records.ts";
import { t } from "../../../lib/messages/settings.ts";
import { formatShortDay } from "../../../lib/time.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { roleName } from "../../../parts/people/role-words.ts";
import { useInvites, useRevokeInvite } from "../../../queries/invites/use-invites.ts";
import { useMembers } from "../../../queries/members/use-members.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { RowsSkeleton } from "../../../ui/RowsSkeleton.tsx";
import { Section } from "./Section.tsx";

/** Lists unused invite links. */
export function OpenInvites() {
  const invites = useInvites();
  const revoke = useRevokeInvite();
  const members = useMembers().data ?? [];
  const inviterName = (invite: Invite) => members.find(({ id }) => id === invite.created_by_account_id)?.username ?? "";
  return (
    <Section title={t("invitesTitle")}>
      {invites.isPending && <RowsSkeleton rows={1} />}
      {invites.isError && !invites.data && <LoadError error={invites.error} retry={() => void invites.refetch()} />}
      {revoke.error && <LoadError error={revoke.error} retry={() => revoke.mutate(revoke.variables)} />}
      {invites.data?.length === 0 && <p className="py-4 text-text-3">{t("invitesEmpty")}</p>}
      <ul>
        {invites.data?.map((invite) => (
          <li key={invite.id} className="-mx-4 flex min-h-15 items-center gap-3 border-b border-line px-4 py-2 last:border-0">
            <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-hover text-text-2">
              <Link2 size={16} aria-hidden />
            </span>
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{invite.email ? t("inviteFor", { email: invite.email }) : t("inviteForAny")}</p>
              <p className="truncate text-sm text-text-3">
                {t("inviteBy", { role: roleName(invite.role), person: inviterName(invite), day: formatShortDay(invite.expires_at) })}
              </p>
            </div>
            <Button
              size="sm"
              pending={revoke.isPending && revoke.variables === invite.id}
              onClick={() => revoke.mutate(invite.id, { onSuccess: () => announce(t("inviteRevoked")) })}
            >
              {t("revoke")}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
