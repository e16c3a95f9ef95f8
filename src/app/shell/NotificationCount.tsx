import { formatBadge } from "../../lib/format.ts";
import { t } from "../../lib/texts/notifications.ts";
import { useUnreadNotificationCount } from "../../queries/notifications/use-notifications.ts";

/** Shows how many notifications are unread, beside the link to them; nothing if there are none. */
export function NotificationCount({ className }: { className: string }) {
  const count = useUnreadNotificationCount();
  if (count === 0) return null;
  return (
    <span className={className}>
      <span aria-hidden>{formatBadge(count)}</span>
      <span className="sr-only">{count > 99 ? t("unreadMany") : t("unread", { count })}</span>
    </span>
  );
}
