/** The menus of projects and groups: a button, and a right click or the menu key on the row around it. */
import { Archive, ArchiveRestore, Ellipsis, FolderInput, ListMusic, Palette, Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { creatorFacts } from "../../../../contract/policy.ts";
import type { Group, Project } from "../../../../contract/records.ts";
import { NotificationLevelItems, NotificationLevelMenu } from "../../../components/notifications/NotificationLevelMenu.tsx";
import { FavoriteStar } from "../../../components/favorites/FavoriteButton.tsx";
import { useToggleFavorite } from "../../../components/favorites/use-toggle-favorite.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t as tFavorites } from "../../../lib/texts/favorites.ts";
import { t } from "../../../lib/texts/projects.ts";
import { t as tShell } from "../../../lib/texts/shell.ts";
import { projectItem } from "../../../queries/favorites/listed-items.ts";
import { useFavoriteAccess, useIsFavorite } from "../../../queries/favorites/use-favorites.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useSession } from "../../../queries/session.ts";
import { type AnchorRect, anchorRectOf } from "../../../ui/Floating.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { ContextMenu, Menu, MenuItem, MenuSeparator } from "../../../ui/Menu.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { useOpenDialog } from "../../dialogs/dialog-context.ts";
import { useProjectActions } from "../../../components/projects/use-project-actions.ts";

const ICON = { size: 16, "aria-hidden": true } as const;

/** `hasLevels`: false where another menu beside it has the notification levels. */
function useProjectItems(project: Project, hasLevels: boolean): ReactNode {
  const openDialog = useOpenDialog();
  const { account } = useSession();
  const canEdit = useCan("project.edit");
  const canDelete = useCan("project.delete", creatorFacts(project, account.id));
  const { setArchived } = useProjectActions();
  const hasNotifications = useHasFeature("notifications");
  const levels = hasNotifications && hasLevels && <NotificationLevelItems project={project} />;
  if (!canEdit) return levels || null;
  const open = (action: "rename" | "move" | "color" | "delete") => () => openDialog({ kind: "project", action, id: project.id });
  const isArchived = Boolean(project.archived_at);
  return (
    <>
      {levels}
      {levels && <MenuSeparator />}
      {!isArchived && (
        <>
          <MenuItem icon={<Pencil {...ICON} />} onSelect={open("rename")}>
            {t("rename")}
          </MenuItem>
          <MenuItem icon={<FolderInput {...ICON} />} onSelect={open("move")}>
            {t("move")}
          </MenuItem>
          <MenuItem icon={<Palette {...ICON} />} onSelect={open("color")}>
            {t("color")}
          </MenuItem>
        </>
      )}
      <MenuItem icon={isArchived ? <ArchiveRestore {...ICON} /> : <Archive {...ICON} />} onSelect={() => void setArchived(project, !isArchived)}>
        {t(isArchived ? "unarchive" : "archive")}
      </MenuItem>
      {canDelete && <DeleteItem onSelect={open("delete")} />}
    </>
  );
}

/** The last item, apart from the others. */
const DeleteItem = ({ onSelect }: { onSelect(): void }) => (
  <>
    <MenuSeparator />
    <MenuItem danger icon={<Trash2 {...ICON} />} onSelect={onSelect}>
      {t("delete")}
    </MenuItem>
  </>
);

function useGroupItems(group: Group): ReactNode {
  const openDialog = useOpenDialog();
  const { account } = useSession();
  const canEdit = useCan("group.edit");
  const canDelete = useCan("group.delete", creatorFacts(group, account.id));
  const canCreateProjects = useCan("project.create");
  if (!canEdit) return null;
  const open = (action: "rename" | "color" | "delete") => () => openDialog({ kind: "group", action, id: group.id });
  return (
    <>
      {canCreateProjects && (
        <MenuItem icon={<Plus {...ICON} />} onSelect={() => openDialog({ kind: "new-project", groupId: group.id })}>
          {t("newProjectIn", { group: group.name })}
        </MenuItem>
      )}
      <MenuItem icon={<Pencil {...ICON} />} onSelect={open("rename")}>
        {t("rename")}
      </MenuItem>
      <MenuItem icon={<Palette {...ICON} />} onSelect={open("color")}>
        {t("color")}
      </MenuItem>
      {canDelete && <DeleteItem onSelect={open("delete")} />}
    </>
  );
}

/** What the header of a project has no room for on a phone; null elsewhere. */
function usePhoneItems(project: Project, isPhone: boolean): ReactNode {
  const navigate = useNavigate();
  const item = projectItem(project);
  const isFavorite = useIsFavorite(item.type, item.id);
  const { canChange } = useFavoriteAccess();
  const toggleFavorite = useToggleFavorite();
  const hasPlaylists = useHasFeature("playlists");
  if (!isPhone || !(canChange || hasPlaylists)) return null;
  return (
    <>
      {canChange && (
        <MenuItem icon={<FavoriteStar isFavorite={isFavorite} size={16} />} onSelect={() => toggleFavorite(item, !isFavorite)}>
          {tFavorites(isFavorite ? "remove" : "add")}
        </MenuItem>
      )}
      {hasPlaylists && (
        <MenuItem icon={<ListMusic {...ICON} />} onSelect={() => void navigate(`/projects/${project.id}/playlists`)}>
          {tShell("playlists")}
        </MenuItem>
      )}
    </>
  );
}

/** The menu of a project in its header, and beside it, except on a phone, the menu of the notification levels. */
export function ProjectMenu({ project }: { project: Project }) {
  const isPhone = useMediaQuery(PHONE);
  const phoneItems = usePhoneItems(project, isPhone);
  const projectItems = useProjectItems(project, isPhone);
  const items = (phoneItems || projectItems) && (
    <>
      {phoneItems}
      {phoneItems && projectItems && <MenuSeparator />}
      {projectItems}
    </>
  );
  return (
    <>
      {!isPhone && <NotificationLevelMenu project={project} />}
      {items && (
        <Menu
          label={t("menuOf", { name: project.name })}
          trigger={<Ellipsis size={18} aria-hidden />}
          triggerClassName={`${iconButtonClasses} max-tablet:size-10`}
          align="end"
        >
          {items}
        </Menu>
      )}
    </>
  );
}

/** The menu of a project's row in the rail. */
export function ProjectRowMenu({ project }: { project: Project }) {
  return <RowMenu label={t("menuOf", { name: project.name })} items={useProjectItems(project, true)} className="absolute top-1/2 right-1 -translate-y-1/2" />;
}

/** The menu of a group's heading in the rail. */
export function GroupMenu({ group }: { group: Group }) {
  return <RowMenu label={t("menuOf", { name: group.name })} items={useGroupItems(group)} />;
}

/** A button that appears with the pointer or the focus on the row, and the menu at the pointer on a right click or the menu key anywhere in the row. */
function RowMenu({ label, items, className }: { label: string; items: ReactNode; className?: string }) {
  const marker = useRef<HTMLSpanElement>(null);
  const [anchor, setAnchor] = useState<AnchorRect | null>(null);
  const hasItems = items !== null;
  useEffect(() => {
    const row = marker.current?.closest("[data-menu-row]");
    if (!row || !hasItems) return;
    const onContextMenu = (event: Event) => {
      const { clientX, clientY, target } = event as MouseEvent;
      event.preventDefault();
      // The menu key gives no position of the pointer in some browsers.
      setAnchor(clientX === 0 && clientY === 0 && target instanceof Element ? anchorRectOf(target) : anchorRectOf({ clientX, clientY }));
    };
    row.addEventListener("contextmenu", onContextMenu);
    return () => row.removeEventListener("contextmenu", onContextMenu);
  }, [hasItems]);
  if (!hasItems) return null;
  return (
    <span
      ref={marker}
      className={classNames(
        "flex rounded-sm narrow:hidden pointer-fine:opacity-0 pointer-fine:group-hover/row:opacity-100 pointer-fine:group-hover/section-heading:opacity-100 pointer-fine:focus-within:opacity-100 pointer-fine:has-aria-expanded:opacity-100 pointer-coarse:hidden",
        className,
      )}
    >
      <Menu
        label={label}
        trigger={<Ellipsis size={15} aria-hidden />}
        triggerClassName={`${iconButtonClasses} size-6! rounded-sm bg-bg group-hover/row:bg-hover group-has-aria-[current=page]/row:bg-raised`}
        align="end"
      >
        {items}
      </Menu>
      {anchor && (
        <ContextMenu label={label} anchor={anchor} onClose={() => setAnchor(null)} className="min-w-52">
          {items}
        </ContextMenu>
      )}
    </span>
  );
}
