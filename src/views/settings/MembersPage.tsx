import { KeyRound, Link2, UserPlus } from "lucide-react";
import { Fragment, useEffect, useRef, useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import type { Invite } from "../../../contract/access-records.ts";
import type { Member } from "../../../contract/records.ts";
import { transferOwnership } from "../../../contract/operations/accounts.ts";
import { useClient, useServiceTime } from "../../client/client.ts";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import { ConfirmAction } from "../../components/FormDialog.tsx";
import { ListRow, ListSection, ListState, RowIcon } from "../../components/ListSection.tsx";
import { roleName } from "../../components/role-labels.ts";
import { formatUrl } from "../../lib/format.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatDateTime, formatRelativeTime, formatShortDay } from "../../lib/time.ts";
import { useInvites, useRevokeInvite } from "../../queries/invites.ts";
import { useMembers, usePasswordResetLink, usePasswordResets, useRevokePasswordReset, useUpdateMember } from "../../queries/members.ts";
import { useSeenNotifications } from "../../queries/notifications/use-notifications.ts";
import { useCan } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { useEndpointsCreatedBy } from "../../queries/webhooks/use-webhooks.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyField } from "../../ui/copy.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";
import { InviteDialog } from "./InviteDialog.tsx";
import { MemberRow } from "./MemberRow.tsx";
import { TransferDialog } from "./TransferDialog.tsx";

type ActiveDialog = { kind: "disable" | "reset" | "transfer"; member: Member };

/** Lists the organization's members: `?person=` highlights one, `?invite=new` opens the invite dialog. */
export function MembersPage() {
  const { organisation, role } = useSession();
  useSeenNotifications({ kinds: ["invite_accepted"] });
  const canInvite = useCan("team.invite", { newRole: "member" });
  const canManageInvites = useCan("invite.manage");
  const canManageResets = useCan("password_reset.manage");
  const canTransfer = useClient().api.offers(transferOwnership) && role === "owner";
  const members = useMembers();
  const [search, setSearch] = useSearchParams();
  const [activeDialog, setActiveDialog] = useState<ActiveDialog | null>(null);
  const isInviting = canInvite && search.get("invite") === "new";
  const highlightedId = Number(search.get("person"));
  const close = () => setActiveDialog(null);
  const inviteButton = useRef<HTMLButtonElement>(null);
  const focusInviteButton = useFocusAfterRemoval(inviteButton);
  const people = (members.data ?? [])
    .filter(({ is_agent }) => is_agent !== true)
    .toSorted((a, b) => Number(a.disabled) - Number(b.disabled) || a.username.localeCompare(b.username));

  // Links to somebody do not tell agents from people.
  if (members.data?.some(({ id, is_agent }) => id === highlightedId && is_agent)) return <Navigate to={`/settings/agents/${highlightedId}`} replace />;
  return (
    <>
      <ListSection
        title={t("members")}
        lead={members.data && t("membersLead", { count: people.length, organisation: organisation.name })}
        actions={
          canInvite && (
            <Button icon={UserPlus} ref={inviteButton} variant="primary" onClick={() => setSearch({ invite: "new" })}>
              {t("invite")}
            </Button>
          )
        }
      >
        <ListState query={members} rows={4} />
        {members.data && (
          <ul>
            {people.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                isHighlighted={member.id === highlightedId}
                onReset={() => setActiveDialog({ kind: "reset", member })}
                onDisable={() => setActiveDialog({ kind: "disable", member })}
                onTransfer={canTransfer && !member.disabled ? () => setActiveDialog({ kind: "transfer", member }) : undefined}
              />
            ))}
          </ul>
        )}
      </ListSection>
      {/* Both name people of the list. */}
      {canManageInvites && members.data && <PendingInvites onRevoked={focusInviteButton} />}
      {canManageResets && members.data && <PendingPasswordResets onRevoked={focusInviteButton} />}
      {isInviting && <InviteDialog onClose={() => setSearch({}, { replace: true })} />}
      {activeDialog?.kind === "reset" && <ResetLinkDialog member={activeDialog.member} onClose={close} />}
      {activeDialog?.kind === "transfer" && <TransferDialog member={activeDialog.member} onClose={close} />}
      {activeDialog?.kind === "disable" && <DisableMemberDialog member={activeDialog.member} onClose={close} />}
    </>
  );
}

const recipientOf = ({ email }: Invite) => (email ? t("inviteFor", { email }) : t("inviteForAny"));

/** Lists unused invite links. */
function PendingInvites({ onRevoked }: { onRevoked(): void }) {
  const now = useServiceTime();
  const invites = useInvites();
  const revoke = useRevokeInvite();
  const members = useMembers().data ?? [];
  const inviterName = (invite: Invite) => members.find(({ id }) => id === invite.created_by_account_id)?.username ?? "";
  return (
    <ListSection title={t("invitesTitle")}>
      <ListState query={invites} rows={1} />
      {revoke.error && <ErrorNotice error={revoke.error} retry={() => revoke.mutate(revoke.variables)} className="my-4" />}
      {invites.data?.length === 0 && <p className="py-4 text-text-3">{t("invitesEmpty")}</p>}
      <ul>
        {invites.data?.map((invite) => (
          <ListRow
            key={invite.id}
            picture={
              <RowIcon>
                <Link2 size={16} aria-hidden />
              </RowIcon>
            }
            title={<span className="truncate font-medium">{recipientOf(invite)}</span>}
            details={t("inviteBy", { role: roleName(invite.role), person: inviterName(invite), day: formatShortDay(invite.expires_at, now) })}
          >
            <Button
              size="sm"
              pending={revoke.isPending && revoke.variables === invite.id}
              aria-label={t("revokeInvite", { link: recipientOf(invite) })}
              onClick={() =>
                revoke.mutate(invite.id, {
                  onSuccess() {
                    announce(t("inviteRevoked"));
                    onRevoked();
                  },
                })
              }
            >
              {t("revoke")}
            </Button>
          </ListRow>
        ))}
      </ul>
    </ListSection>
  );
}

/** Lists unused password reset links, if there are any. */
function PendingPasswordResets({ onRevoked }: { onRevoked(): void }) {
  const now = useServiceTime();
  const resets = usePasswordResets();
  const revoke = useRevokePasswordReset();
  const members = useMembers().data ?? [];
  const nameOf = (accountId: number) => members.find(({ id }) => id === accountId)?.username ?? "";
  if (!resets.error && !resets.data?.length) return null;
  return (
    <ListSection title={t("resetsTitle")}>
      <ListState query={resets} rows={1} />
      {revoke.error && <ErrorNotice error={revoke.error} retry={() => revoke.mutate(revoke.variables)} className="my-4" />}
      <ul>
        {resets.data?.map((reset) => (
          <ListRow
            key={reset.id}
            picture={
              <RowIcon>
                <KeyRound size={16} aria-hidden />
              </RowIcon>
            }
            title={<span className="truncate font-medium">{t("resetFor", { person: nameOf(reset.account_id) })}</span>}
            details={
              reset.created_by_account_id === null
                ? t("resetByOperator", { when: formatRelativeTime(reset.expires_at, now) })
                : t("resetBy", { person: nameOf(reset.created_by_account_id), when: formatRelativeTime(reset.expires_at, now) })
            }
          >
            <Button
              size="sm"
              pending={revoke.isPending && revoke.variables === reset.id}
              aria-label={t("revokeReset", { person: nameOf(reset.account_id) })}
              onClick={() =>
                revoke.mutate(reset.id, {
                  onSuccess() {
                    announce(t("resetRevoked"));
                    onRevoked();
                  },
                })
              }
            >
              {t("revoke")}
            </Button>
          </ListRow>
        ))}
      </ul>
    </ListSection>
  );
}

/** Creates a password reset link and shows it once. */
function ResetLinkDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const link = usePasswordResetLink();
  const hasRequested = useRef(false);
  const { mutate } = link;
  useEffect(() => {
    // Each call revokes the previous link, so strict mode must not call twice.
    if (hasRequested.current) return;
    hasRequested.current = true;
    mutate(member.id);
  }, [member.id, mutate]);
  return (
    <Dialog
      title={t("resetTitle", { name: member.username })}
      description={link.data && t("resetHelp", { day: formatDateTime(link.data.expires_at) })}
      onClose={onClose}
    >
      {link.data ? (
        <CopyField label={t("resetLabel")} value={link.data.url} />
      ) : link.error ? (
        <ErrorNotice error={link.error} retry={() => mutate(member.id)} />
      ) : (
        <Skeleton className="h-9" />
      )}
      <DialogActions>
        <Button onClick={onClose}>{tCommon("done")}</Button>
      </DialogActions>
    </Dialog>
  );
}

function DisableMemberDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const update = useUpdateMember();
  const endpoints = useEndpointsCreatedBy(member.id);
  return (
    <ConfirmAction
      action={update}
      title={t("disableTitle", { name: member.username })}
      description={
        <>
          {t("disableHelp")}
          {endpoints.length > 0 && (
            <span className="mt-2 block">
              {t("disableWebhooks", { count: endpoints.length })}{" "}
              {endpoints.map(({ id, url }, index) => (
                <Fragment key={id}>
                  {index > 0 && ", "}
                  <Link to={`/settings/webhooks/${id}`} className="wrap-anywhere text-accent-text underline">
                    {formatUrl(url)}
                  </Link>
                </Fragment>
              ))}
            </span>
          )}
        </>
      }
      confirmLabel={t("disable")}
      onConfirm={() => update.mutate({ id: member.id, disabled: true }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
