import { File, House, MessageSquare, Moon, Plug, Sun, Webhook } from "lucide-react";
import { useState } from "react";
import { NavLink, Outlet, useLocation } from "react-router";
import { TokenNotice } from "../../components/TokenNotice.tsx";
import { useClient } from "../../client/client.ts";
import { classNames } from "../../lib/class-names.ts";
import { useStore } from "../../lib/store.ts";
import { t } from "../../lib/texts/documented-shell.ts";
import { t as tShell } from "../../lib/texts/shell.ts";
import { t as tPanel } from "../../lib/texts/upload-panel.ts";
import { useRecents } from "../../sync/device-records.ts";
import { ANNOUNCER_ID } from "../../ui/announce.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Logo } from "../../ui/Logo.tsx";
import { Toasts } from "../../ui/Toasts.tsx";
import { createToasts, ToastsContext } from "../../ui/toast.ts";
import { Tooltips } from "../../ui/Tooltips.tsx";
import { BottomBarItem } from "../shell/BottomBar.tsx";
import { MiniPlayer } from "../shell/MiniPlayer.tsx";
import { railRowClasses } from "../shell/Rail.tsx";
import { SkipLink } from "../shell/Shell.tsx";
import { useFocusOnNavigation } from "../shell/use-focus-on-navigation.ts";
import { recentName, recentPath } from "./recents.ts";

/** The frame around the views of a service that has only the operations of the service document. */
export function DocumentedShell() {
  const [toasts] = useState(createToasts);
  const { pathname } = useLocation();
  useFocusOnNavigation();
  return (
    <ToastsContext value={toasts}>
      <div className="group/shell flex h-full flex-col">
        <SkipLink />
        <TokenNotice />
        <div className="flex min-h-0 flex-1">
          <Rail />
          <main id="content" tabIndex={-1} className="min-w-0 flex-1 bg-surface">
            <Outlet />
          </main>
        </div>
        <div className="relative">
          <Toasts label={tPanel("toasts")} childrenLabel="" />
        </div>
        <MiniPlayer />
        <Tooltips />
        <nav aria-label={t("navigation")} className="flex shrink-0 border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] tablet:hidden">
          <BottomBarItem to="/" isActive={pathname === "/"} icon={<House size={20} aria-hidden />}>
            {t("home")}
          </BottomBarItem>
          <BottomBarItem to="/settings/webhooks" isActive={pathname === "/settings/webhooks"} icon={<Webhook size={20} aria-hidden />}>
            {t("webhooks")}
          </BottomBarItem>
          <BottomBarItem to="/connect" reloadDocument isActive={false} icon={<Plug size={20} aria-hidden />}>
            {t("service")}
          </BottomBarItem>
        </nav>
        <div id="hidden-media" hidden />
        <div id={ANNOUNCER_ID} role="status" aria-live="polite" className="sr-only" />
      </div>
    </ToastsContext>
  );
}

const rowClassName = ({ isActive }: { isActive: boolean }) => classNames(railRowClasses, isActive && "bg-raised font-medium text-text");

function Rail() {
  const { api, theme } = useClient();
  const isDark = useStore(theme.applied) === "dark";
  const recents = useRecents();
  const { host } = new URL(api.serviceUrl());
  return (
    <nav aria-label={t("navigation")} className="hidden min-h-0 w-full shrink-0 flex-col border-line bg-bg tablet:flex tablet:w-62 tablet:border-r narrow:w-15">
      <div className="flex flex-col px-2 pt-3 narrow:gap-1">
        <div className="flex h-9 items-center gap-3 px-2 narrow:h-auto narrow:justify-center narrow:px-0">
          <Logo />
          <span className="min-w-0 flex-1 truncate font-semibold narrow:sr-only" title={host}>
            {host}
          </span>
        </div>
        <NavLink to="/" end data-tooltip={t("homeTitle")} className={(state) => classNames(rowClassName(state), "mt-2")}>
          <House size={18} aria-hidden className="shrink-0" />
          <span className="narrow:sr-only">{t("home")}</span>
        </NavLink>
        <NavLink to="/settings/webhooks" data-tooltip={t("webhooks")} className={rowClassName}>
          <Webhook size={18} aria-hidden className="shrink-0" />
          <span className="narrow:sr-only">{t("webhooks")}</span>
        </NavLink>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pt-3 narrow:overflow-x-hidden">
        {recents.length > 0 && (
          <section aria-label={t("recents")}>
            <h2 className="flex h-8 items-center pr-1 pl-2 text-xs font-semibold text-text-3 narrow:hidden">{t("recents")}</h2>
            <ul className="flex flex-col narrow:gap-1">
              {recents.map((recent) => (
                <li key={recentPath(recent)}>
                  <NavLink to={recentPath(recent)} data-tooltip={recentName(recent)} className={rowClassName}>
                    {recent.kind === "chat" ? (
                      <MessageSquare size={16} aria-hidden className="shrink-0" />
                    ) : (
                      <File size={16} aria-hidden className="shrink-0" />
                    )}
                    <span className="min-w-0 truncate narrow:sr-only">{recentName(recent)}</span>
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <div className="flex items-center gap-1 px-2 pt-1 pb-3 narrow:flex-col">
        <a href="/connect" data-tooltip={t("changeService")} className={classNames(railRowClasses, "min-w-0 flex-1 narrow:flex-none")}>
          <Plug size={18} aria-hidden className="shrink-0" />
          <span className="min-w-0 truncate narrow:sr-only">{t("changeService")}</span>
        </a>
        <IconButton label={isDark ? tShell("toLight") : tShell("toDark")} icon={isDark ? Sun : Moon} iconSize={17} onClick={theme.toggle} />
      </div>
    </nav>
  );
}
