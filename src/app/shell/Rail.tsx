import { Bell, CircleCheck, ListMusic, Moon, Plus, Search, Settings, Sun } from "lucide-react";
import { useRef, useState } from "react";
import { NavLink } from "react-router";
import { useStore } from "../../lib/store.ts";
import { useClient } from "../../client/client.ts";
import { commandKeys } from "../../lib/browser.ts";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/shell.ts";
import { useCan } from "../../queries/permissions.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useSession } from "../../queries/session.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { Logo } from "../../ui/Logo.tsx";
import { useOpenDialog } from "../dialogs/dialog-context.ts";
import type { AccountMenu } from "./AccountMenu.tsx";
import type { CreateMenu } from "./CreateMenu.tsx";
import type { NotificationCount } from "./NotificationCount.tsx";
import { FavoritesSpace } from "./FavoritesSpace.tsx";
import type { RailFavorites } from "./RailFavorites.tsx";
import type { RailScroll } from "./RailScroll.tsx";
import { RailList } from "./RailList.tsx";
import type { TileLabels } from "./tile-labels.ts";
import { BADGE_CLASSES } from "./RailProject.tsx";

export const railRowClasses =
  "flex h-11 w-full items-center gap-3 rounded-sm px-2 text-left text-text-2 transition-colors hover:bg-hover tablet:h-8.5 narrow:mx-auto narrow:size-10 narrow:justify-center narrow:px-0";

interface Props {
  /** True if the navigation is the whole view on a phone. */
  isAlone: boolean;
  /** Undefined until loaded. */
  AccountMenu: typeof AccountMenu | undefined;
  CreateMenu: typeof CreateMenu | undefined;
  NotificationCount: typeof NotificationCount | undefined;
  Favorites: typeof RailFavorites | undefined;
  Scroll: typeof RailScroll | undefined;
}

/** Renders the navigation at the left of the shell. */
export function Rail({ isAlone, Favorites, Scroll, AccountMenu, ...late }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [tiles, setTiles] = useState<TileLabels>();
  return (
    <nav
      aria-label={t("rail")}
      className={classNames(
        "min-h-0 w-full shrink-0 flex-col border-line bg-bg tablet:w-62 tablet:border-r narrow:w-15",
        isAlone ? "flex" : "hidden tablet:flex",
      )}
    >
      {isAlone && (
        <h1 tabIndex={-1} className="sr-only">
          {t("projects")}
        </h1>
      )}
      <Top {...late} />
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          ref={scroller}
          className="min-h-0 flex-1 overflow-y-auto px-2 pt-3 data-fade-bottom:mask-b-from-[calc(100%-28px)] data-fade-top:mask-t-from-[calc(100%-28px)] narrow:overflow-x-hidden narrow:pt-1"
        >
          {Favorites ? <Favorites /> : <FavoritesSpace />}
          <RailList tiles={tiles} />
        </div>
        {Scroll && <Scroll scroller={scroller} onTiles={setTiles} />}
      </div>
      <Bottom AccountMenu={AccountMenu} />
    </nav>
  );
}

function Top({ CreateMenu, NotificationCount }: Omit<Props, "isAlone" | "Favorites" | "Scroll" | "AccountMenu">) {
  const openDialog = useOpenDialog();
  const { organisation } = useSession();
  const hasNotifications = useHasFeature("notifications");
  const hasTasks = useHasFeature("tasks");
  const hasPlaylists = useHasFeature("playlists");
  const canCreateProjects = useCan("project.create");
  const canCreateGroups = useCan("group.create");
  return (
    <div className="flex flex-col px-2 pt-3 narrow:gap-1">
      <div className="flex h-9 items-center gap-3 px-2 narrow:h-auto narrow:flex-col narrow:gap-2 narrow:px-0">
        <Logo />
        <span className="min-w-0 flex-1 truncate font-semibold narrow:sr-only">{organisation.name}</span>
        {(canCreateProjects || canCreateGroups) && (
          <span className="flex size-8 shrink-0 items-center justify-center text-text-2">{CreateMenu ? <CreateMenu /> : <Plus size={18} aria-hidden />}</span>
        )}
      </div>
      <button
        type="button"
        data-tooltip={t("searchKeys")}
        onClick={() => openDialog({ kind: "palette" })}
        className={classNames(railRowClasses, "mt-2 narrow:mt-1")}
      >
        <Search size={18} aria-hidden className="shrink-0" />
        <span className="flex-1 narrow:sr-only">{t("search")}</span>
        <span aria-hidden className="hidden desktop:inline-flex">
          <Kbd>{commandKeys("K")}</Kbd>
        </span>
      </button>
      {hasNotifications && (
        <NavLink
          to="/notifications"
          data-tooltip={t("notifications")}
          className={({ isActive }) => classNames(railRowClasses, "relative", isActive && "bg-raised font-medium text-text")}
        >
          <Bell size={18} aria-hidden className="shrink-0" />
          <span className="flex-1 narrow:sr-only">{t("notifications")}</span>
          {NotificationCount && <NotificationCount className={`${BADGE_CLASSES} bg-accent text-accent-ink`} />}
        </NavLink>
      )}
      {hasTasks && (
        <NavLink to="/tasks" data-tooltip={t("tasks")} className={({ isActive }) => classNames(railRowClasses, isActive && "bg-raised font-medium text-text")}>
          <CircleCheck size={18} aria-hidden className="shrink-0" />
          <span className="narrow:sr-only">{t("tasks")}</span>
        </NavLink>
      )}
      {hasPlaylists && (
        <NavLink
          to="/playlists"
          data-tooltip={t("playlists")}
          className={({ isActive }) => classNames(railRowClasses, isActive && "bg-raised font-medium text-text")}
        >
          <ListMusic size={18} aria-hidden className="shrink-0" />
          <span className="narrow:sr-only">{t("playlists")}</span>
        </NavLink>
      )}
    </div>
  );
}

function Bottom({ AccountMenu }: Pick<Props, "AccountMenu">) {
  const { account } = useSession();
  const { theme } = useClient();
  const isDark = useStore(theme.applied) === "dark";
  const accountClasses = classNames(railRowClasses, "min-w-0 flex-1 narrow:flex-none");
  return (
    <div className="flex flex-col px-2 pt-1 pb-3 narrow:gap-1">
      <NavLink
        to="/settings"
        data-tooltip={t("settings")}
        className={({ isActive }) => classNames(railRowClasses, "hidden! tablet:flex!", isActive && "bg-raised font-medium text-text")}
      >
        <Settings size={18} aria-hidden className="shrink-0" />
        <span className="narrow:sr-only">{t("settings")}</span>
      </NavLink>
      <div className="flex items-center gap-1 narrow:flex-col">
        {AccountMenu ? (
          <AccountMenu className={accountClasses} />
        ) : (
          <span className={accountClasses}>
            <Avatar id={account.id} name={account.username} url={account.avatar_url} size="sm" />
            <span className="min-w-0 truncate narrow:sr-only">{account.username}</span>
          </span>
        )}
        <IconButton label={isDark ? t("toLight") : t("toDark")} onClick={theme.toggle}>
          {isDark ? <Sun size={17} aria-hidden /> : <Moon size={17} aria-hidden />}
        </IconButton>
      </div>
    </div>
  );
}
