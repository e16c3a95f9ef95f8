import { Bell, Files, FolderOpen, MessageSquare, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useClient } from "../../client/client.ts";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/shell.ts";
import { useHasFeature } from "../../queries/service.ts";
import type { NotificationCount as NotificationCountType } from "./NotificationCount.tsx";
import { useProjects } from "../../queries/projects.ts";

/** Switches between the panes on a phone; hidden while typing. */
export function BottomBar({ NotificationCount }: { NotificationCount: typeof NotificationCountType | undefined }) {
  const { pathname } = useLocation();
  const projects = useProjects().data ?? [];
  const lastProjectId = useClient().serviceStorage.get("last-project");
  const lastProject = projects.find(({ id }) => String(id) === lastProjectId) ?? projects[0];
  const current = /^\/projects\/(\d+)\/(\w+)/.exec(pathname);
  const hasFiles = useHasFeature("files-view");
  const hasNotifications = useHasFeature("notifications");
  const isInProject = current !== null;
  const isInFiles = current?.[2] === "files";
  const base = `/projects/${current?.[1] ?? lastProject?.id}`;
  const hasUnread = projects.some((project) => project.unread_count > 0);
  return (
    <nav
      aria-label={t("brand")}
      className="flex shrink-0 border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] tablet:hidden pointer-coarse:group-has-[textarea:focus]/shell:hidden"
    >
      <BottomBarItem to="/" isActive={pathname === "/"} icon={<FolderOpen size={20} aria-hidden />} hasDot={hasUnread && !isInProject && pathname !== "/"}>
        {t("projects")}
      </BottomBarItem>
      {lastProject && (
        <>
          <BottomBarItem
            to={isInProject && !isInFiles ? pathname : `${base}/chat`}
            isActive={isInProject && !isInFiles}
            icon={<MessageSquare size={20} aria-hidden />}
          >
            {t("chat")}
          </BottomBarItem>
          {hasFiles && (
            <BottomBarItem to={isInFiles ? pathname : `${base}/files`} isActive={isInFiles} icon={<Files size={20} aria-hidden />}>
              {t("files")}
            </BottomBarItem>
          )}
        </>
      )}
      {hasNotifications && (
        <BottomBarItem
          to="/notifications"
          isActive={pathname === "/notifications"}
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
      <BottomBarItem to="/settings" isActive={pathname.startsWith("/settings")} icon={<Settings size={20} aria-hidden />}>
        {t("settings")}
      </BottomBarItem>
    </nav>
  );
}

interface ItemProps {
  to: string;
  isActive: boolean;
  icon: ReactNode;
  hasDot?: boolean;
  reloadDocument?: boolean;
  children: ReactNode;
}

/** A link of the bar at the bottom of a phone. */
export function BottomBarItem({ to, isActive, icon, hasDot = false, reloadDocument, children }: ItemProps) {
  return (
    <Link
      to={to}
      reloadDocument={reloadDocument}
      aria-current={isActive ? "page" : undefined}
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
