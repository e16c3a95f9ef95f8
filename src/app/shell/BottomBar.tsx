import { Files, FolderOpen, MessageSquare, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { classNames } from "../../lib/class-names.ts";
import { getPersisted } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/shell.ts";
import { useProjects } from "../../queries/projects.ts";

/** Switches between the panes on a phone; hidden while typing. */
export function BottomBar() {
  const { pathname } = useLocation();
  const projects = useProjects().data ?? [];
  const lastProject = projects.find(({ id }) => String(id) === getPersisted("last-project")) ?? projects[0];
  const current = /^\/projects\/(\d+)\/(\w+)/.exec(pathname);
  const inProject = current !== null;
  const inFiles = current?.[2] === "files";
  const base = `/projects/${current?.[1] ?? lastProject?.id}`;
  const unread = projects.some((project) => project.unread_count > 0);
  return (
    <nav
      aria-label={t("brand")}
      className="flex shrink-0 border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] tablet:hidden pointer-coarse:group-has-[textarea:focus]/shell:hidden"
    >
      <Item to="/" active={pathname === "/"} icon={<FolderOpen size={20} aria-hidden />} dot={unread && !inProject && pathname !== "/"}>
        {t("projects")}
      </Item>
      {lastProject && (
        <>
          <Item to={inProject && !inFiles ? pathname : `${base}/chat`} active={inProject && !inFiles} icon={<MessageSquare size={20} aria-hidden />}>
            {t("chat")}
          </Item>
          <Item to={inFiles ? pathname : `${base}/files`} active={inFiles} icon={<Files size={20} aria-hidden />}>
            {t("files")}
          </Item>
        </>
      )}
      <Item to="/settings" active={pathname.startsWith("/settings")} icon={<Settings size={20} aria-hidden />}>
        {t("settings")}
      </Item>
    </nav>
  );
}

function Item({ to, active, icon, dot = false, children }: { to: string; active: boolean; icon: ReactNode; dot?: boolean; children: ReactNode }) {
  return (
    <Link
      to={to}
      aria-current={active ? "page" : undefined}
      className={classNames("flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium", active ? "text-accent-text" : "text-text-2")}
    >
      <span className="relative">
        {icon}
        {dot && <span aria-hidden className="absolute -top-0.5 -right-1 size-2 rounded-full bg-accent" />}
      </span>
      {children}
    </Link>
  );
}
