import { Archive, ChevronDown, ChevronRight, ListFilter, Plus } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { NavLink } from "react-router";
import type { Project } from "../../../contract/records.ts";
import { classNames } from "../../lib/class-names.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/shell.ts";
import { useMutedProjectIds } from "../../queries/notifications/use-muted-projects.ts";
import { useCan } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useOpenDialog } from "../dialogs/dialog-context.ts";
import { GroupMenu, ProjectRowMenu } from "./projects/lazy-menus.tsx";
import { RailBadge, RailProject } from "./RailProject.tsx";
import type { TileLabels } from "./tile-labels.ts";
import { useCollapsedGroups } from "./use-collapsed-groups.ts";
import { useOpenProjectId } from "./use-open-project.ts";
import { type Section, useRailSections } from "./use-rail-sections.ts";

/** Lists that are as long have the filter for unread projects. */
const MIN_FILTERED = 13;

/** Lists the groups with their projects. `tiles`: undefined until loaded. */
export function RailList({ tiles }: { tiles: TileLabels | undefined }) {
  const { projects, sections, archivedCount, loading, error, retry } = useRailSections();
  const mutedIds = useMutedProjectIds();
  const current = useOpenProjectId();
  const [isUnreadOnly, setUnreadOnly] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const isCurrentListed = projects.some(({ id }) => id === current);
  useLayoutEffect(() => {
    // Rows do not move while they are in view.
    list.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
  }, [current, isCurrentListed]);
  if (loading) return <RailSkeleton />;
  if (error) {
    return (
      <div className="px-3 py-2 text-sm text-text-2 narrow:hidden">
        <p>{t("projectsFailed")}</p>
        <Button size="sm" className="mt-2" onClick={retry}>
          {tCommon("retry")}
        </Button>
      </div>
    );
  }
  if (sections.length === 0 && archivedCount === 0) return <NoProjects />;
  const isFiltering = isUnreadOnly && projects.length >= MIN_FILTERED;
  const isUnread = ({ id, unread_count, mention_count = 0 }: Project) => mention_count > 0 || (unread_count > 0 && !mutedIds?.includes(id));
  const filtered = isFiltering
    ? sections.flatMap((section) => {
        const shown = section.projects.filter((project) => project.id === current || isUnread(project));
        return shown.length > 0 ? [{ ...section, projects: shown }] : [];
      })
    : sections;
  return (
    <div ref={list}>
      {projects.length >= MIN_FILTERED && (
        <div className="flex h-8 items-center justify-between pr-1 pl-2 narrow:hidden">
          <span className="text-xs text-text-3">{isFiltering ? t("unreadProjects") : t("allProjects", { count: projects.length })}</span>
          <IconButton
            icon={ListFilter}
            iconSize={14}
            label={t("unreadOnly")}
            aria-pressed={isFiltering}
            className={classNames("size-6 pointer-coarse:size-11", isFiltering && "bg-accent-soft text-accent-text")}
            onClick={() => setUnreadOnly(!isUnreadOnly)}
          />
        </div>
      )}
      {isFiltering && filtered.length === 0 && <p className="px-3 py-2 text-sm text-text-2">{t("nothingUnread")}</p>}
      {filtered.map((section) => (
        <RailSection
          key={section.group?.id ?? 0}
          section={section}
          current={current}
          isOnly={sections.length === 1}
          isFiltering={isFiltering}
          mutedIds={mutedIds}
          tiles={tiles}
        />
      ))}
      {archivedCount > 0 && !isFiltering && <ArchivedLink count={archivedCount} />}
    </div>
  );
}

interface SectionProps {
  section: Section;
  current: number | undefined;
  isOnly: boolean;
  isFiltering: boolean;
  mutedIds: readonly number[] | undefined;
  tiles: TileLabels | undefined;
}

function RailSection({ section, current, isOnly, isFiltering, mutedIds, tiles }: SectionProps) {
  const openDialog = useOpenDialog();
  const id = useId();
  const canCreateProjects = useCan("project.create");
  const { group, projects } = section;
  const [isStoredCollapsed, toggle] = useCollapsedGroups(group?.id ?? 0);
  const isCollapsed = isStoredCollapsed && !isFiltering;
  const title = section.title ?? (isOnly ? t("projects") : t("withoutGroup"));
  // The open project stays in a collapsed group, and the heading counts the others.
  const hidden = isCollapsed ? projects.filter((project) => project.id !== current) : [];
  const mentions = hidden.reduce((sum, { mention_count = 0 }) => sum + mention_count, 0);
  const unread = hidden.reduce((sum, { id: projectId, unread_count }) => sum + (mutedIds?.includes(projectId) ? 0 : unread_count), 0);
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  return (
    <section aria-labelledby={id} className="group/section mb-3 narrow:mb-0 narrow:border-t narrow:border-line narrow:py-1">
      <div data-menu-row className="group/section-heading relative flex h-8 items-center pr-1 pl-2 pointer-coarse:h-11 narrow:h-6 narrow:px-0">
        <h2 id={id} className="min-w-0 flex-1 text-xs font-semibold text-text-3">
          <button
            type="button"
            aria-expanded={!isCollapsed}
            data-tooltip={title}
            data-unread={unread}
            data-mentions={mentions}
            onClick={toggle}
            className="flex h-6 max-w-full items-center gap-1 rounded-sm hover:text-text narrow:w-full narrow:justify-center"
          >
            <span className={classNames("truncate narrow:sr-only", (unread > 0 || mentions > 0) && "text-text")}>{title}</span>
            <Chevron
              size={14}
              aria-hidden
              className={classNames(
                "shrink-0",
                !isCollapsed &&
                  "pointer-fine:opacity-0 pointer-fine:group-focus-within/section:opacity-100 pointer-fine:group-hover/section:opacity-100 narrow:opacity-100!",
              )}
            />
          </button>
        </h2>
        <RailBadge unread={unread} mentions={mentions} className="mr-1 narrow:mr-0" />
        {group && <GroupMenu group={group} />}
        {canCreateProjects && (
          <IconButton
            icon={Plus}
            iconSize={14}
            label={group ? t("newProjectIn", { group: group.name }) : t("newProject")}
            className="size-6 pointer-fine:opacity-0 pointer-fine:group-hover/section:opacity-100 pointer-fine:focus-visible:opacity-100 narrow:hidden"
            onClick={() => openDialog(group ? { kind: "new-project", groupId: group.id } : { kind: "new-project" })}
          />
        )}
      </div>
      <ul className="flex flex-col narrow:gap-1">
        {projects.map(
          (project) =>
            (!isCollapsed || project.id === current) && (
              <RailProject
                key={project.id}
                project={project}
                isActive={project.id === current}
                isMuted={mutedIds?.includes(project.id)}
                tile={tiles?.get(project.id)}
                action={<ProjectRowMenu project={project} />}
              />
            ),
        )}
      </ul>
    </section>
  );
}

const ArchivedLink = ({ count }: { count: number }) => (
  <NavLink
    to="/projects/archived"
    data-tooltip={t("archived")}
    className={({ isActive }) =>
      classNames(
        "mb-3 flex h-11 items-center gap-2.5 rounded-sm px-2.5 transition-colors hover:bg-hover tablet:h-8.5 narrow:mx-auto narrow:size-10 narrow:justify-center narrow:px-0",
        isActive ? "bg-raised font-medium text-text" : "text-text-3",
      )
    }
  >
    <Archive size={15} aria-hidden className="shrink-0" />
    <span className="min-w-0 flex-1 truncate narrow:sr-only">{t("archived")}</span>
    <span aria-hidden className="tabular text-xs text-text-3 narrow:hidden">
      {count}
    </span>
  </NavLink>
);

function NoProjects() {
  const openDialog = useOpenDialog();
  const canCreateProjects = useCan("project.create");
  const { organisation } = useSession();
  return (
    <div className="px-2 py-2 text-text-2 tablet:hidden">
      <p className="font-semibold text-text">{t("noProjectsTitle")}</p>
      <p className="mt-1">{canCreateProjects ? t("createFirstProject") : t("askForProject", { organisation: organisation.name })}</p>
      {canCreateProjects && (
        <Button className="mt-3" variant="primary" onClick={() => openDialog({ kind: "new-project" })}>
          {t("newProject")}
        </Button>
      )}
    </div>
  );
}

/** Placeholder for two groups of projects, at their later positions. */
export function RailSkeleton() {
  const row = (width: string, index: number) => (
    <div key={index} className="flex h-11 items-center gap-3.5 px-3 tablet:h-8.5 narrow:justify-center narrow:px-0">
      <Skeleton className="size-2 narrow:size-7" />
      <Skeleton className={classNames("h-3 narrow:hidden", width)} />
    </div>
  );
  return (
    <div aria-hidden>
      <div className="flex h-8 items-center pl-2 narrow:hidden">
        <Skeleton className="h-2.5 w-16" />
      </div>
      {["w-28", "w-36", "w-24"].map(row)}
      <div className="mt-3 flex h-8 items-center pl-2 narrow:hidden">
        <Skeleton className="h-2.5 w-20" />
      </div>
      {["w-32", "w-24"].map(row)}
    </div>
  );
}
