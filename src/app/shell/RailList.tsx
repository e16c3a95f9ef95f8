import { Plus } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link, useMatch } from "react-router";
import type { Project } from "../../../contract/records.ts";
import { classNames } from "../../lib/class-names.ts";
import { formatBadge, initialsOf } from "../../lib/format.ts";
import { hueOf } from "../../lib/hue.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/shell.ts";
import { useCan } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useOpenDialog } from "../dialogs/dialog-context.ts";
import { type Section, useRailSections } from "./use-rail-sections.ts";

/** Classes of a count in the rail. */
export const BADGE_CLASSES =
  "tabular inline-flex h-5 min-w-5 items-center justify-center rounded-full px-1.5 text-xs font-medium narrow:absolute narrow:h-4 narrow:min-w-4 narrow:px-1 narrow:text-[10px]";

/** Lists the groups with their projects. */
export function RailList() {
  const { sections, loading, error, retry } = useRailSections();
  const current = Number(useMatch("/projects/:projectId/*")?.params.projectId);
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
  if (sections.length === 0) return <NoProjects />;
  return sections.map((section) => <RailSection key={section.group?.id ?? 0} section={section} current={current} isOnly={sections.length === 1} />);
}

function RailSection({ section, current, isOnly }: { section: Section; current: number; isOnly: boolean }) {
  const openDialog = useOpenDialog();
  const id = useId();
  const canCreateProjects = useCan("project.create");
  const { group, projects } = section;
  const title = section.title ?? (isOnly ? t("projects") : t("withoutGroup"));
  return (
    <section aria-labelledby={id} className="group/section mb-3 narrow:mb-0 narrow:border-t narrow:border-line narrow:py-2">
      <div className="flex h-8 items-center pr-1 pl-2 narrow:hidden">
        <h2 id={id} className="min-w-0 flex-1 truncate text-xs font-semibold text-text-3">
          {title}
        </h2>
        {canCreateProjects && (
          <IconButton
            icon={Plus}
            iconSize={14}
            label={group ? t("newProjectIn", { group: group.name }) : t("newProject")}
            className="size-6 pointer-fine:opacity-0 pointer-fine:group-hover/section:opacity-100 pointer-fine:focus-visible:opacity-100"
            onClick={() => openDialog(group ? { kind: "new-project", groupId: group.id } : { kind: "new-project" })}
          />
        )}
      </div>
      <ul className="flex flex-col narrow:gap-1">
        {projects.map((project) => (
          <RailProject key={project.id} project={project} isActive={project.id === current} />
        ))}
      </ul>
    </section>
  );
}

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

/** A project in the rail: a dot, its name and unread counts; in the narrow rail a tile with its initials. */
export function RailProject({ project, isActive, action }: { project: Project; isActive: boolean; /** Beside the link. */ action?: ReactNode }) {
  const { unread_count: unread, mention_count: mentions = 0 } = project;
  return (
    <li className="group/row relative">
      <Link
        to={`/projects/${project.id}/chat`}
        aria-current={isActive ? "page" : undefined}
        data-tooltip={project.name}
        className={classNames(
          "group/item relative flex h-11 items-center gap-3.5 rounded-sm px-3 transition-colors tablet:h-8.5 narrow:mx-auto narrow:size-10 narrow:justify-center narrow:px-0",
          isActive ? "bg-raised font-medium text-text" : "hover:bg-hover",
          !isActive && (unread > 0 ? "font-semibold text-text" : "text-text-2"),
        )}
      >
        <span aria-hidden data-hue={hueOf(project.id)} className="hue-dot size-2 shrink-0 rounded-[2px] narrow:hidden" />
        <span
          aria-hidden
          data-hue={hueOf(project.id)}
          data-initials={initialsOf(project.name)}
          className="hue-avatar hidden size-7 items-center justify-center rounded-sm text-xs font-semibold before:content-[attr(data-initials)] narrow:flex"
        />
        <span className="min-w-0 flex-1 truncate narrow:sr-only">{project.name}</span>
        {unread > 0 && (
          <>
            <span className="sr-only">
              {unread > 99 ? t("unreadMany") : t("unread", { count: unread })}
              {mentions > 0 && ` ${t("mentions", { count: mentions })}`}
            </span>
            {mentions > 0 && (
              <span aria-hidden className={classNames(BADGE_CLASSES, "-mr-2 bg-accent text-accent-ink narrow:-bottom-1 narrow:-right-1 narrow:mr-0")}>
                @{formatBadge(mentions)}
              </span>
            )}
            <span
              aria-hidden
              className={classNames(
                BADGE_CLASSES,
                "narrow:-top-1 narrow:-right-1 narrow:bg-accent narrow:text-accent-ink",
                isActive ? "bg-hover" : "bg-raised",
              )}
            >
              {formatBadge(unread)}
            </span>
          </>
        )}
      </Link>
      {action}
    </li>
  );
}
