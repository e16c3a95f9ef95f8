import { Archive } from "lucide-react";
import { useRef } from "react";
import { Link } from "react-router";
import { useServiceTime } from "../../client/client.ts";
import { ListRow, ListSection, ListState } from "../../components/ListSection.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { ProjectDot } from "../../components/projects/ProjectDot.tsx";
import { UnarchiveButton } from "../../components/projects/UnarchiveButton.tsx";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/projects.ts";
import { formatRelativeTime } from "../../lib/time.ts";
import { useProjects } from "../../queries/projects.ts";
import { useGroups } from "../../queries/teams.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";

/** Lists the archived projects, the newest first. */
export function ArchivedView() {
  const projects = useProjects();
  const groups = new Map((useGroups().data ?? []).map(({ id, name }) => [id, name]));
  const heading = useRef<HTMLHeadingElement>(null);
  const now = useServiceTime();
  const archived = (projects.data ?? [])
    .filter(({ archived_at }) => archived_at)
    .toSorted((a, b) => (b.archived_at ?? "").localeCompare(a.archived_at ?? "") || b.id - a.id);
  return (
    <div className="h-full overflow-y-auto">
      <PageTitle text={`${t("archivedTitle")} · ${tCommon("brand")}`} />
      <h1 tabIndex={-1} className="sr-only">
        {t("archivedTitle")}
      </h1>
      <div className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6 tablet:py-8">
        <ListSection title={t("archivedTitle")} lead={t("archivedLead")} headingRef={heading}>
          <ListState query={projects} rows={3} />
          {projects.data && archived.length === 0 && (
            <EmptyState icon={<Archive size={22} aria-hidden />} title={t("archivedEmpty")}>
              {t("archivedEmptyHelp")}
            </EmptyState>
          )}
          <ul>
            {archived.map((project) => (
              <ListRow
                key={project.id}
                picture={<ProjectDot project={project} />}
                title={
                  <Link to={`/projects/${project.id}/chat`} className="min-w-0 truncate font-medium hover:underline">
                    {project.name}
                  </Link>
                }
                details={[groups.get(project.group_id ?? 0), t("archivedSince", { when: formatRelativeTime(project.archived_at ?? "", now) })]
                  .filter(Boolean)
                  .join(" · ")}
              >
                <UnarchiveButton project={project} label={t("unarchiveOf", { name: project.name })} onDone={() => heading.current?.focus()} />
              </ListRow>
            ))}
          </ul>
        </ListSection>
      </div>
    </div>
  );
}
