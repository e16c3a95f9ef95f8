import { Ellipsis, KeyRound, UserCheck, UserX } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Member, Role } from "../../../../contract/records.ts";
import { classes } from "../../../lib/classes.ts";
import { t as tp } from "../../../lib/messages/people.ts";
import { t } from "../../../lib/messages/settings.ts";
import { formatAgo } from "../../../lib/time.ts";
import { roleName } from "../../../parts/people/role-words.ts";
import { useUpdateMember } from "../../../queries/members/use-members.ts";
import { explain } from "../../../queries/problems.ts";
import { mayManage, rolesToGive } from "../../../queries/session/rights.ts";
import { useSession } from "../../../queries/session/use-session.ts";
import { announce } from "../../../ui/announce.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Select } from "../../../ui/Select.tsx";

interface Props {
  member: Member;
  /** Was searched for: scrolled to and tinted. */
  marked: boolean;
  onReset(): void;
  onDisable(): void;
}

export function MemberRow({ member, marked, onReset, onDisable }: Props) {
  const session = useSession();
  const update = useUpdateMember();
  const row = useRef<HTMLLIElement>(null);
  const own = session.account.id === member.id;
  const manages = rolesToGive(session.role).length > 0;
  const may = mayManage(session.role, member.role);
  useEffect(() => {
    if (marked) row.current?.scrollIntoView({ block: "center" });
  }, [marked]);

  return (
    <li ref={row} className={classes("-mx-4 border-b border-line px-4 last:border-0", marked && "bg-accent-soft")}>
      <div className="flex min-h-15 items-center gap-2 py-2 tablet:gap-3">
        <Avatar id={member.id} name={member.username} url={member.avatar_url} className={member.disabled ? "opacity-50" : undefined} />
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-center gap-2">
            <span className="truncate font-medium">{member.username}</span>
            {own && <span className={classes("text-sm", marked ? "text-text-2" : "text-text-3")}>{tp("you")}</span>}
            {member.disabled && <span className="rounded-full bg-hover px-2 text-xs text-text-2">{t("disabled")}</span>}
          </p>
          <p className={classes("text-sm tablet:flex tablet:gap-3", marked ? "text-text-2" : "text-text-3")}>
            <span className="block truncate">{member.email}</span>
            <span className="block truncate">{member.last_seen_at ? t("lastSeen", { when: formatAgo(member.last_seen_at) }) : t("never")}</span>
          </p>
        </div>
        {manages ? <RoleSelect member={member} own={own} may={may} update={update} /> : <span className="shrink-0 text-text-2">{roleName(member.role)}</span>}
        {manages && !own ? (
          <Menu label={t("more", { name: member.username })} trigger={<Ellipsis size={18} aria-hidden />} triggerClass={iconButtonClasses} align="end">
            <MenuItem icon={<KeyRound size={16} aria-hidden />} onSelect={onReset} disabledReason={may ? undefined : t("roleOwner")}>
              {t("resetLink")}
            </MenuItem>
            {member.disabled ? (
              <MenuItem icon={<UserCheck size={16} aria-hidden />} onSelect={() => update.mutate({ id: member.id, disabled: false })}>
                {t("enable")}
              </MenuItem>
            ) : (
              <MenuItem icon={<UserX size={16} aria-hidden />} danger onSelect={onDisable} disabledReason={may ? undefined : t("roleOwner")}>
                {t("disable")}
              </MenuItem>
            )}
          </Menu>
        ) : (
          manages && <span className="size-8 shrink-0" />
        )}
      </div>
      {update.error && (
        <Notice title={explain(update.error).title} className="mb-3">
          {explain(update.error).help}
        </Notice>
      )}
    </li>
  );
}

interface RoleProps {
  member: Member;
  own: boolean;
  may: boolean;
  update: ReturnType<typeof useUpdateMember>;
}

function RoleSelect({ member, own, may, update }: RoleProps) {
  const { role } = useSession();
  const give = rolesToGive(role);
  const choices = give.includes(member.role) ? give : [member.role, ...give];
  const locked = own || !may || member.disabled;
  return (
    <Select
      compact
      aria-label={t("roleOf", { name: member.username })}
      title={own ? t("roleOwn") : may ? undefined : t("roleOwner")}
      disabled={locked || update.isPending}
      value={update.isPending ? (update.variables.role ?? member.role) : member.role}
      onChange={(event) => {
        const next = event.target.value as Role;
        update.mutate({ id: member.id, role: next }, { onSuccess: () => announce(t("roleChanged", { name: member.username, role: roleName(next) })) });
      }}
      className="w-27 shrink-0"
    >
      {choices.map((one) => (
        <option key={one} value={one}>
          {roleName(one)}
        </option>
      ))}
    </Select>
  );
}
