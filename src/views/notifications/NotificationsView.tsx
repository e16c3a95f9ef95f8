import { Bell, CheckCheck, Settings } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { Notification } from "../../../contract/notification-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/notifications.ts";
import { daysAgo, formatLongDay } from "../../lib/time.ts";
import { useNotifications, useReadNotifications, useUnreadNotificationCount } from "../../queries/notifications/use-notifications.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
import { useFocusNextRow } from "../../ui/use-focus-next-row.ts";
import { NotificationRow } from "./NotificationRow.tsx";

const UNREAD_FILTER = "unread";

/** Lists what concerns the signed-in person, newest first; the URL says whether only unread ones are shown. */
export function NotificationsView() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [search, setSearch] = useSearchParams();
  const isUnread = search.get("show") === UNREAD_FILTER;
  const query = useNotifications(isUnread);
  const unread = useNotifications(true);
  const { notifications } = query;
  const newIds = useNewIds(unread.notifications);
  const unreadCount = useUnreadNotificationCount();
  const readAll = useReadNotifications();
  const newest = notifications?.[0];
  return (
    <div className="flex h-full flex-col">
      <PageTitle text={`${t("title")} · ${tCommon("brand")}`} />
      <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line px-4 tablet:px-5">
        <h1 ref={heading} tabIndex={-1} className="text-lg font-semibold">
          {t("title")}
        </h1>
        <p className="min-w-0 flex-1 truncate text-text-2">{unreadCount > 0 && (unreadCount > 99 ? t("unreadMany") : t("unread", { count: unreadCount }))}</p>
        {unreadCount > 0 && newest && (
          <Button
            icon={CheckCheck}
            pending={readAll.isPending}
            onClick={() => {
              // Those that arrive meanwhile stay unread.
              readAll.mutate({ up_to_id: newest.id });
              heading.current?.focus();
            }}
          >
            <span className="max-tablet:sr-only">{t("readAll")}</span>
          </Button>
        )}
        <Link to="/settings/notifications" aria-label={t("settings")} data-tooltip={t("settings")} className={iconButtonClasses}>
          <Settings size={18} aria-hidden />
        </Link>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-190 px-4 py-4 tablet:px-6">
          <Filter isUnread={isUnread} onChange={(value) => setSearch(value ? { show: UNREAD_FILTER } : {}, { replace: true })} />
          {!notifications &&
            (query.isError ? (
              <LoadError error={query.error} retry={() => void query.refetch()} />
            ) : (
              <div role="status" aria-label={t("loading")} className="px-4">
                <RowsSkeleton rows={5} />
              </div>
            ))}
          {notifications?.length === 0 && (
            <EmptyState icon={<Bell size={22} aria-hidden />} title={t(isUnread ? "noUnread" : "empty")}>
              {!isUnread && t("emptyHelp")}
            </EmptyState>
          )}
          {notifications && (
            <Days
              notifications={isUnread ? notifications : withUnread(notifications, unread.notifications)}
              newIds={isUnread ? NO_IDS : newIds}
              isUnread={isUnread}
            />
          )}
          {query.hasNextPage && (
            <div className="flex justify-center pt-2">
              <Button variant="ghost" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t("older")}
              </Button>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

function Filter({ isUnread, onChange }: { isUnread: boolean; onChange(isUnread: boolean): void }) {
  return (
    <div role="group" aria-label={t("filter")} className="mb-4 inline-flex rounded-md border border-line p-0.5">
      {[false, true].map((value) => (
        <button
          key={String(value)}
          type="button"
          aria-pressed={value === isUnread}
          onClick={() => onChange(value)}
          className={`h-7 rounded-sm px-3 pointer-coarse:h-10 ${value === isUnread ? "bg-hover font-medium text-text" : "text-text-2 hover:text-text"}`}
        >
          {t(value ? "onlyUnread" : "all")}
        </button>
      ))}
    </div>
  );
}

const NO_IDS: ReadonlySet<number> = new Set();

/** Returns the ids of all that were unread since the page was opened: they stay where they are while they are read. */
function useNewIds(unread: readonly Notification[] | undefined): ReadonlySet<number> {
  const [ids, setIds] = useState(NO_IDS);
  if (unread?.some(({ id }) => !ids.has(id))) setIds(new Set([...ids, ...unread.map(({ id }) => id)]));
  return ids;
}

/** Adds unread notifications that are further down in the list than it is loaded. */
const withUnread = (notifications: readonly Notification[], unread: readonly Notification[] = []): readonly Notification[] => [
  ...notifications,
  ...unread.filter((one) => !notifications.some(({ id }) => id === one.id)),
];

interface DaysProps {
  notifications: readonly Notification[];
  /** They come first. */
  newIds: ReadonlySet<number>;
  isUnread: boolean;
}

/** Lists the new notifications, and the others under the days on which they came. Arrow keys move between them. */
function Days({ notifications, newIds, isUnread }: DaysProps) {
  const now = useServiceTime();
  const list = useRef<HTMLDivElement>(null);
  const focusNextRow = useFocusNextRow(list, notifications.length);
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    // A menu button has opened its menu.
    if (event.defaultPrevented) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a[data-notification]")];
    const next = step === undefined ? undefined : links[links.findIndex((link) => link.closest("li")?.contains(event.target as Node)) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys move between the links in it
    <div ref={list} onKeyDown={moveFocus}>
      {groupWithNew(notifications, newIds, now).map(({ title, items }) => (
        <section key={title} aria-label={title} className="mb-6">
          <h2 className="mb-1 text-sm font-semibold text-text-2">{title}</h2>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line dark:bg-bg/40">
            {items.map((notification) => (
              // What is read leaves the list of unread ones.
              <NotificationRow key={notification.id} notification={notification} onRead={isUnread ? focusNextRow : undefined} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Returns the new notifications as a group of their own, and then the days of the others. */
function groupWithNew(notifications: readonly Notification[], newIds: ReadonlySet<number>, now: number): ReturnType<typeof groupByDay> {
  const items = notifications.filter(({ id }) => newIds.has(id));
  const days = groupByDay(
    notifications.filter(({ id }) => !newIds.has(id)),
    now,
  );
  return items.length > 0 ? [{ title: t("new"), items }, ...days] : days;
}

/** Returns the days with their notifications, in the given order. */
export function groupByDay(notifications: readonly Notification[], now: number): { title: string; items: Notification[] }[] {
  const days: { title: string; items: Notification[] }[] = [];
  for (const notification of notifications) {
    const age = daysAgo(notification.created_at, now);
    const title = age <= 0 ? t("today") : age === 1 ? t("yesterday") : formatLongDay(notification.created_at, now);
    const last = days.at(-1);
    if (last?.title === title) last.items.push(notification);
    else days.push({ title, items: [notification] });
  }
  return days;
}
