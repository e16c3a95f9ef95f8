/** The account's favorites, and what it last opened and played, at the top of the navigation. */
import { ChevronDown, ChevronRight, type LucideIcon, History, Star } from "lucide-react";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import type { ListedItem } from "../../../contract/favorite-records.ts";
import { useClient } from "../../client/client.ts";
import { ItemIcon, itemName } from "../../components/favorites/listed-item.tsx";
import { useRemoveFavorite, useRemoveRecentItem } from "../../components/favorites/use-remove-items.ts";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/favorites-list.ts";
import { itemPath } from "../../queries/favorites/listed-items.ts";
import { itemKey } from "../../queries/favorites/favorites.ts";
import { useFavoritesQuery, useRecentItems } from "../../queries/favorites/use-favorite-lists.ts";
import { useFavoriteAccess, useFavorites } from "../../queries/favorites/use-favorites.ts";
import { useMutedProjectIds } from "../../queries/notifications/use-muted-projects.ts";
import { useProjects } from "../../queries/projects.ts";
import { CloseButton, IconButton } from "../../ui/IconButton.tsx";
import { useFocusNextRow } from "../../ui/use-focus-next-row.ts";
import { FavoritesSpace } from "./FavoritesSpace.tsx";
import { RailProject } from "./RailProject.tsx";
import { tileLabels } from "./tile-labels.ts";
import { useOpenProjectId } from "./use-open-project.ts";
import { useRecentRecorder } from "./use-recent-recorder.ts";

/** The pages show the rest. */
const MAX_FAVORITES = 8;
const MAX_RECENT = 5;

export function RailFavorites() {
  const { canList, canChange } = useFavoriteAccess();
  useRecentRecorder(canChange);
  return canList ? <Sections canChange={canChange} /> : null;
}

function Sections({ canChange }: { canChange: boolean }) {
  const client = useClient();
  const { isPending: areFavoritesPending } = useFavoritesQuery();
  // Projects come first, so that those above the groups are always the same.
  const favorites = useFavorites().toSorted((a, b) => Number(b.item.type === "project") - Number(a.item.type === "project"));
  const { data: allRecent = [], isPending: areRecentPending } = useRecentItems();
  const isPending = areFavoritesPending || areRecentPending;
  // The projects are below them.
  const recent = allRecent.filter(({ item }) => item.type !== "project");
  const removeFavorite = useRemoveFavorite();
  const removeRecent = useRemoveRecentItem();
  const container = useRef<HTMLDivElement>(null);
  const focusNextRow = useFocusNextRow(container, favorites.length + recent.length);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const observer = new ResizeObserver(() => client.serviceStorage.set("favorites-height", String(element.offsetHeight)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [client, isPending]);
  const remove = (run: () => void) =>
    canChange
      ? () => {
          focusNextRow();
          run();
        }
      : undefined;
  if (isPending) return <FavoritesSpace />;
  return (
    <div ref={container}>
      {favorites.length > 0 && (
        <Section name="favorites" title={t("favorites")} icon={Star} path="/favorites" count={favorites.length} hasMore={favorites.length > MAX_FAVORITES}>
          {favorites.slice(0, MAX_FAVORITES).map(({ item }) => (
            <Row key={itemKey(item)} item={item} removeLabel={t("removeFavorite", { name: itemName(item) })} onRemove={remove(() => removeFavorite(item))} />
          ))}
        </Section>
      )}
      {recent.length > 0 && (
        <Section name="recent" title={t("recent")} icon={History} path="/recent" count={allRecent.length} hasMore={recent.length > MAX_RECENT}>
          {recent.slice(0, MAX_RECENT).map((entry) => (
            <Row
              key={itemKey(entry.item)}
              item={entry.item}
              removeLabel={t("removeRecent", { name: itemName(entry.item) })}
              onRemove={remove(() => removeRecent(entry))}
            />
          ))}
        </Section>
      )}
    </div>
  );
}

interface SectionProps {
  name: "favorites" | "recent";
  title: string;
  /** In the narrow rail. */
  icon: LucideIcon;
  /** The page that shows all. */
  path: string;
  /** Entries of that page. */
  count: number;
  hasMore: boolean;
  children: ReactNode;
}

function Section({ name, title, icon: Icon, path, count, hasMore, children }: SectionProps) {
  const id = useId();
  const { serviceStorage } = useClient();
  const [isCollapsed, setCollapsed] = useState(() => serviceStorage.get(`is-collapsed.${name}`) !== null);
  const toggle = () => {
    serviceStorage.set(`is-collapsed.${name}`, isCollapsed ? null : "yes");
    setCollapsed(!isCollapsed);
  };
  return (
    <section aria-labelledby={id} className="group/section mb-3 narrow:mb-0 narrow:pb-1">
      <div className="flex h-8 items-center pr-1 pl-2 pointer-coarse:h-11 narrow:h-auto narrow:px-0">
        <h2 id={id} className="min-w-0 flex-1 text-xs font-semibold text-text-3">
          <Link
            to={path}
            data-tooltip={title}
            className="rounded-sm hover:text-text narrow:mx-auto narrow:flex narrow:size-10 narrow:items-center narrow:justify-center narrow:hover:bg-hover"
          >
            <Icon aria-hidden size={16} className="hidden text-text-2 narrow:block" />
            <span className="narrow:sr-only">{title}</span>
          </Link>
        </h2>
        <IconButton
          icon={isCollapsed ? ChevronRight : ChevronDown}
          iconSize={14}
          label={isCollapsed ? t("expandSection", { title }) : t("collapseSection", { title })}
          onClick={toggle}
          className={classNames(
            "size-6 pointer-coarse:size-11 narrow:hidden",
            !isCollapsed && "pointer-fine:opacity-0 pointer-fine:group-hover/section:opacity-100 pointer-fine:focus-visible:opacity-100",
          )}
        />
      </div>
      {!isCollapsed && (
        <>
          <ul className="flex flex-col narrow:gap-1">{children}</ul>
          {hasMore && (
            <Link to={path} className="flex h-11 items-center rounded-sm pr-3 pl-8.5 text-sm text-text-3 hover:bg-hover tablet:h-8.5 narrow:hidden">
              {t("showAll", { count })}
            </Link>
          )}
        </>
      )}
    </section>
  );
}

interface RowProps {
  item: ListedItem;
  removeLabel: string;
  /** Undefined where nothing can be changed. */
  onRemove: (() => void) | undefined;
}

function Row({ item, removeLabel, onRemove }: RowProps) {
  const { pathname } = useLocation();
  const { data: projects = [] } = useProjects();
  const project = projects.find(({ id }) => item.type === "project" && id === item.id);
  const labels = useMemo(() => (project ? tileLabels(projects) : undefined), [project, projects]);
  const openProjectId = useOpenProjectId();
  const isMuted = useMutedProjectIds()?.includes(item.id);
  const isCurrent = pathname === itemPath(item);
  const name = itemName(item);
  const remove = onRemove && (
    <CloseButton
      label={removeLabel}
      onClick={onRemove}
      className="absolute top-1/2 right-1 size-6 -translate-y-1/2 bg-raised opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:hidden narrow:hidden"
    />
  );
  if (project)
    return <RailProject project={project} isActive={project.id === openProjectId} isMuted={isMuted} tile={labels?.get(project.id)} action={remove} />;
  // Icons alone would not tell files and messages apart.
  return (
    <li className="group/row relative narrow:hidden">
      <Link
        to={itemPath(item)}
        aria-current={isCurrent ? "page" : undefined}
        className={classNames(
          "flex h-11 items-center gap-2.5 rounded-sm px-2 transition-colors tablet:h-8.5",
          isCurrent ? "bg-raised font-medium text-text" : "text-text-2 hover:bg-hover",
        )}
      >
        <span className="flex w-4 shrink-0 justify-center">
          <ItemIcon item={item} />
        </span>
        <span className="min-w-0 flex-1 truncate">{name}</span>
      </Link>
      {remove}
    </li>
  );
}
