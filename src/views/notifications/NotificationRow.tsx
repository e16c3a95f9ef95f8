import {
  AtSign,
  BellOff,
  CalendarClock,
  CircleCheck,
  CircleDot,
  Ellipsis,
  type LucideIcon,
  Mail,
  MailOpen,
  MessageSquare,
  Reply,
  Settings,
  UserCheck,
  UserPlus,
  Webhook,
} from "lucide-react";
import { Link, useNavigate } from "react-router";
import type { Notification, NotificationKind } from "../../../contract/notification-records.ts";
import { notificationTitle } from "../../../contract/notification-text.ts";
import { useServiceTime } from "../../client/client.ts";
import { AgentBadge } from "../../components/agents/AgentBadge.tsx";
import { Avatar } from "../../components/Avatar.tsx";
import { RowIcon } from "../../components/ListSection.tsx";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/notifications.ts";
import { formatDateTime, formatRelativeTime } from "../../lib/time.ts";
import { useMembers } from "../../queries/members.ts";
import { useMarkNotification } from "../../queries/notifications/use-notifications.ts";
import { useUpdateProjectNotificationSettings } from "../../queries/notifications/use-settings.ts";
import { IconButton, iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { useToasts } from "../../ui/toast.ts";

const ICONS: Readonly<Record<NotificationKind, LucideIcon>> & Readonly<Partial<Record<string, LucideIcon>>> = {
  mention: AtSign,
  reply: Reply,
  comment: MessageSquare,
  task_assigned: UserCheck,
  task_due: CalendarClock,
  task_closed: CircleCheck,
  file_status: CircleDot,
  webhook_disabled: Webhook,
  invite_accepted: UserPlus,
};

/** Returns the path of the page that shows the subject, whichever address the service has. */
function pathOf({ url }: Notification): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}

interface Props {
  notification: Notification;
  /** Called before the notification is marked as read with the row's buttons. */
  onRead?: (() => void) | undefined;
}

/** Shows one notification: a press opens its subject and marks it as read. */
export function NotificationRow({ notification, onRead }: Props) {
  const now = useServiceTime();
  const toasts = useToasts();
  const mark = useMarkNotification();
  const { id, read, kind, text, project_name, comment_id, created_at } = notification;
  const toggleRead = () => {
    if (!read) onRead?.();
    mark.mutate({ id, isRead: !read }, { onError: () => toasts.showError(t("notSaved")) });
  };
  const title = notificationTitle(notification);
  // The title of messages names the project already.
  const place = (kind === "mention" || kind === "reply") && comment_id === null ? null : project_name;
  return (
    <li className={classNames("group/row relative flex items-center gap-1 pr-2 hover:bg-hover", !read && "bg-accent-soft/40")}>
      <Link
        to={pathOf(notification)}
        data-notification={id}
        onClick={() => !read && mark.mutate({ id, isRead: true })}
        className="flex min-w-0 flex-1 items-start gap-3 py-3 pl-4 focus-visible:outline-offset-[-2px]"
      >
        <Picture notification={notification} />
        <span className="min-w-0 flex-1">
          <span className={classNames("block break-words", !read && "font-medium")}>
            {!read && <span className="sr-only">{t("isUnread")}: </span>}
            <bdi>{title}</bdi>
            <AgentBadge accountId={notification.account_id} className="align-[-2px]" />
          </span>
          {text !== "" && <span className="line-clamp-2 block break-words text-text-2">{text}</span>}
          <span className="mt-0.5 block truncate text-sm text-text-3">
            {place !== null && <bdi>{place} · </bdi>}
            <time dateTime={created_at} title={formatDateTime(created_at)}>
              {formatRelativeTime(created_at, now)}
            </time>
          </span>
        </span>
      </Link>
      <IconButton
        icon={read ? Mail : MailOpen}
        iconSize={16}
        label={t(read ? "markUnread" : "markRead")}
        onClick={toggleRead}
        className="max-tablet:hidden pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100"
      />
      <RowMenu notification={notification} onToggleRead={toggleRead} />
      <span aria-hidden className={classNames("size-2 shrink-0 rounded-full", !read && "bg-accent")} />
    </li>
  );
}

/** Shows who caused the notification, with the icon of its kind; only the icon if that was the service. */
function Picture({ notification: { kind, account_id, username } }: { notification: Notification }) {
  const members = useMembers().data;
  // A later version may have other kinds.
  const Icon = ICONS[kind] ?? CircleDot;
  if (account_id === null)
    return (
      <RowIcon>
        <Icon size={16} aria-hidden />
      </RowIcon>
    );
  const url = members?.find(({ id }) => id === account_id)?.avatar_url;
  return (
    <span className="relative shrink-0">
      <Avatar id={account_id} name={username ?? "?"} url={url} />
      <span className="absolute -right-1 -bottom-1 flex size-4.5 items-center justify-center rounded-full bg-raised text-text-2 ring-2 ring-surface">
        <Icon size={11} aria-hidden />
      </span>
    </span>
  );
}

function RowMenu({ notification: { project_id: projectId, project_name, read }, onToggleRead }: { notification: Notification; onToggleRead(): void }) {
  const navigate = useNavigate();
  const toasts = useToasts();
  const project = project_name ?? "";
  const update = useUpdateProjectNotificationSettings(() => toasts.showError(t("notMuted", { project })));
  const setMuted = (muted: boolean, onSuccess: () => void) => update.mutate({ projectId: projectId ?? 0, changes: { muted } }, { onSuccess });
  return (
    <Menu label={t("more")} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
      <MenuItem icon={read ? <Mail size={16} aria-hidden /> : <MailOpen size={16} aria-hidden />} onSelect={onToggleRead}>
        {t(read ? "markUnread" : "markRead")}
      </MenuItem>
      {projectId !== null && (
        <MenuItem
          icon={<BellOff size={16} aria-hidden />}
          onSelect={() => setMuted(true, () => void toasts.offerUndo(t("muted", { project }), t("undo"), () => setMuted(false, () => undefined)))}
        >
          {t("muteProject", { project })}
        </MenuItem>
      )}
      <MenuItem icon={<Settings size={16} aria-hidden />} onSelect={() => void navigate("/settings/notifications")}>
        {t("settings")}
      </MenuItem>
    </Menu>
  );
}
