import { Bell, CircleCheck, Files, FolderOpen, MessageSquare, Settings } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "react-router";
import { useClient } from "../../client/client.ts";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/shell.ts";
import { useHasFeature } from "../../queries/service.ts";
import type { NotificationCount as NotificationCountType } from "./NotificationCount.tsx";
import { useProjects, useUnreadCounts } from "../../queries/projects.ts";
import { useOpenProjectId } from "./use-open-project.ts";

type Tab = "projects" | "chat" | "files" | "tasks" | "notifications" | "settings";

/** Returns the tab that a page belongs to by its address; undefined for pages that several tabs lead to. */
function tabOf(pathname: string): Tab | undefined {
  if (pathname === "/") return "projects";
  const [, first, , view] = pathname.split("/");
  if (first === "projects") return view === "files" ? "files" : "chat";
  return first === "tasks" || first === "notifications" || first === "settings" ? first : undefined;
}

/** Returns the active tab and where it was left: a page without a tab of its own belongs to the one from which it was opened. */
function useActiveTab(): { tab: Tab; path: string; isPage: boolean } {
  const { pathname } = useLocation();
  const own = tabOf(pathname);
  const [left, setLeft] = useState<{ tab: Tab; path: string }>(() => ({ tab: own ?? (pathname.startsWith("/files/") ? "files" : "projects"), path: pathname }));
  if (own !== undefined && left.path !== pathname) setLeft({ tab: own, path: pathname });
  return { ...left, isPage: own !== undefined };
}

/** Switches between the panes on a phone; hidden while typing. */
export function BottomBar({ NotificationCount }: { NotificationCount: typeof NotificationCountType | undefined }) {
  const active = useActiveTab();
  const projects = useProjects().data ?? [];
  const lastProjectId = useClient().serviceStorage.get("last-project");
  const lastProject = projects.find(({ id }) => String(id) === lastProjectId) ?? projects[0];
  const openProjectId = useOpenProjectId();
  const hasFiles = useHasFeature("files-view");
  const hasNotifications = useHasFeature("notifications");
  const hasTasks = useHasFeature("tasks");
  const base = `/projects/${openProjectId ?? lastProject?.id}`;
  const hasUnread = useUnreadCounts().unread > 0;
  /** The tab leads back to where it was left. */
  const tab = (name: Tab, path: string) => ({
    to: active.tab === name && tabOf(active.path) === name ? active.path : path,
    isActive: active.tab === name,
    isPage: active.isPage,
  });
  return (
    <nav
      aria-label={t("brand")}
      className="flex shrink-0 border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] tablet:hidden pointer-coarse:group-has-[textarea:focus]/shell:hidden"
    >
      <BottomBarItem
        {...tab("projects", "/")}
        icon={<FolderOpen size={20} aria-hidden />}
        hasDot={hasUnread && openProjectId === undefined && active.tab !== "projects"}
      >
        {t("projects")}
      </BottomBarItem>
      {lastProject && (
        <>
          <BottomBarItem {...tab("chat", `${base}/chat`)} icon={<MessageSquare size={20} aria-hidden />}>
            {t("chat")}
          </BottomBarItem>
          {hasFiles && (
            <BottomBarItem {...tab("files", `${base}/files`)} icon={<Files size={20} aria-hidden />}>
              {t("files")}
            </BottomBarItem>
          )}
        </>
      )}
      {hasTasks && (
        <BottomBarItem {...tab("tasks", "/tasks")} icon={<CircleCheck size={20} aria-hidden />}>
          {t("tasksTab")}
        </BottomBarItem>
      )}
      {hasNotifications && (
        <BottomBarItem
          {...tab("notifications", "/notifications")}
          icon={
            <>
              <Bell size={20} aria-hidden />
              {NotificationCount && (
                <NotificationCount className="absolute -top-1 left-2.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-[10px] text-accent-ink" />
              )}
            </>
          }
        >
          {t("notifications")}
        </BottomBarItem>
      )}
      <BottomBarItem {...tab("settings", "/settings")} icon={<Settings size={20} aria-hidden />}>
        {t("settings")}
      </BottomBarItem>
    </nav>
  );
}

interface ItemProps {
  to: string;
  isActive: boolean;
  /** False on a page that was opened from the tab's page. */
  isPage?: boolean;
  icon: ReactNode;
  hasDot?: boolean;
  reloadDocument?: boolean;
  children: ReactNode;
}

/** A link of the bar at the bottom of a phone. */
export function BottomBarItem({ to, isActive, isPage = true, icon, hasDot = false, reloadDocument, children }: ItemProps) {
  return (
    <Link
      to={to}
      reloadDocument={reloadDocument}
      aria-current={isActive ? (isPage ? "page" : "true") : undefined}
      className={classNames("flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium", isActive ? "text-accent-text" : "text-text-2")}
    >
      <span className="relative">
        {icon}
        {hasDot && <span aria-hidden className="absolute -top-0.5 -right-1 size-2 rounded-full bg-accent" />}
      </span>
      {children}
    </Link>
  );
}
