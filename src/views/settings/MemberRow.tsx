import { Crown, Ellipsis, KeyRound, UserCheck, UserX } from "lucide-react";
import { useEffect, useRef } from "react";
import { isAllowed } from "../../../contract/policy.ts";
import { type Member, type Role, ROLES } from "../../../contract/records.ts";
import { useServiceTime } from "../../client/client.ts";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import { roleName } from "../../components/role-labels.ts";
import { classNames } from "../../lib/class-names.ts";
import { t as tPeople } from "../../lib/texts/people.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatRelativeTime } from "../../lib/time.ts";
import { useUpdateMember } from "../../queries/members.ts";
import { useCan } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { announce } from "../../ui/announce.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { Select } from "../../ui/Select.tsx";
import { StateMark } from "../../ui/StateMark.tsx";

interface Props {
  member: Member;
  /** True for the member in the URL, whose row scrolls into view and is tinted. */
  isHighlighted: boolean;
  onReset(): void;
  onDisable(): void;
  /** Absent for people who cannot become owners, and for readers who cannot make them. */
  onTransfer?: (() => void) | undefined;
}

export function MemberRow({ member, isHighlighted, onReset, onDisable, onTransfer }: Props) {
  const session = useSession();
  const update = useUpdateMember();
  const row = useRef<HTMLLIElement>(null);
  const now = useServiceTime();
  const isSelf = session.account.id === member.id;
  const canManageMembers = useCan("account.manage", { targetRole: "member", newRole: undefined });
  const canManageMember = useCan("account.manage", { targetRole: member.role, newRole: undefined });
  useEffect(() => {
    if (isHighlighted) row.current?.scrollIntoView({ block: "center" });
  }, [isHighlighted]);

  return (
    <li ref={row} className={classNames("-mx-4 border-b border-line px-4 last:border-0", isHighlighted && "bg-accent-soft")}>
      <div className="flex min-h-15 items-center gap-2 py-2 tablet:gap-3">
        <Avatar id={member.id} name={member.username} url={member.avatar_url} className={member.disabled ? "opacity-50" : undefined} />
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-center gap-2">
            <span className="truncate font-medium">{member.username}</span>
            {isSelf && <span className={classNames("text-sm", isHighlighted ? "text-text-2" : "text-text-3")}>{tPeople("you")}</span>}
            {member.disabled && <StateMark>{t("disabled")}</StateMark>}
          </p>
          <p className={classNames("text-sm tablet:flex tablet:gap-3", isHighlighted ? "text-text-2" : "text-text-3")}>
            <span className="block truncate">{member.email}</span>
            <span className="block truncate">
              {member.last_seen_at ? t("lastSeen", { when: formatRelativeTime(member.last_seen_at, now) }) : t("neverSignedIn")}
            </span>
          </p>
        </div>
        {canManageMembers ? (
          <RoleSelect member={member} isSelf={isSelf} canManageMember={canManageMember} update={update} />
        ) : (
          <span className="shrink-0 text-text-2">{roleName(member.role)}</span>
        )}
        {canManageMembers && !isSelf ? (
          <Menu label={t("more", { name: member.username })} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
            <MenuItem icon={<KeyRound size={16} aria-hidden />} onSelect={onReset} disabledReason={canManageMember ? undefined : t("roleOwner")}>
              {t("resetLink")}
            </MenuItem>
            {onTransfer && (
              <MenuItem icon={<Crown size={16} aria-hidden />} onSelect={onTransfer}>
                {t("transfer")}
              </MenuItem>
            )}
            {member.disabled ? (
              <MenuItem
                icon={<UserCheck size={16} aria-hidden />}
                onSelect={() => update.mutate({ id: member.id, disabled: false })}
                disabledReason={canManageMember ? undefined : t("roleOwner")}
              >
                {t("enable")}
              </MenuItem>
            ) : (
              <MenuItem icon={<UserX size={16} aria-hidden />} danger onSelect={onDisable} disabledReason={canManageMember ? undefined : t("roleOwner")}>
                {t("disable")}
              </MenuItem>
            )}
          </Menu>
        ) : (
          canManageMembers && <span className="size-8 shrink-0" />
        )}
      </div>
      <ErrorNotice error={update.error} className="mb-3" />
    </li>
  );
}

interface RoleProps {
  member: Member;
  isSelf: boolean;
  canManageMember: boolean;
  update: ReturnType<typeof useUpdateMember>;
}

function RoleSelect({ member, isSelf, canManageMember, update }: RoleProps) {
  const { role } = useSession();
  const canAssign = (newRole: Role) => isAllowed("account.manage", role, { targetRole: member.role, newRole });
  const roleOptions = ROLES.filter((option) => option === member.role || canAssign(option));
  const isLocked = isSelf || !canManageMember || member.disabled;
  return (
    <span title={isSelf ? t("roleOwn") : canManageMember ? undefined : t("roleOwner")} className="w-27 shrink-0">
      <Select
        compact
        label={t("roleOf", { name: member.username })}
        disabled={isLocked || update.isPending}
        value={update.isPending ? (update.variables.role ?? member.role) : member.role}
        options={roleOptions.map((option) => [option, roleName(option)])}
        onChange={(next) =>
          update.mutate({ id: member.id, role: next }, { onSuccess: () => announce(t("roleChanged", { name: member.username, role: roleName(next) })) })
        }
      />
    </span>
  );
}
