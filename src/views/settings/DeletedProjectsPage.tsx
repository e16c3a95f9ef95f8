import { Trash2 } from "lucide-react";
import { useRef } from "react";
import type { DeletedProject } from "../../../contract/deleted-project-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { daysLeft } from "../../components/deleted-files.ts";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import { ListRow, ListSection, ListState } from "../../components/ListSection.tsx";
import { ProjectDot } from "../../components/projects/ProjectDot.tsx";
import { t } from "../../lib/texts/projects.ts";
import { formatRelativeTime } from "../../lib/time.ts";
import { useMembers } from "../../queries/members.ts";
import { useDeletedProjects, useRestoreProject } from "../../queries/project-mutations.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";

/** Lists the deleted projects that the user can restore. */
export function DeletedProjectsPage() {
  const deleted = useDeletedProjects();
  const restore = useRestoreProject();
  const heading = useRef<HTMLHeadingElement>(null);
  const restoreAndAnnounce = ({ id, name }: DeletedProject) =>
    restore.mutate(id, {
      onSuccess() {
        announce(t("restoredAnnouncement", { name }));
        heading.current?.focus();
      },
    });
  return (
    <ListSection title={t("deletedProjects")} lead={t("deletedLead")} headingRef={heading}>
      <ListState query={deleted} rows={2} />
      <ErrorNotice error={restore.error} />
      {deleted.data?.length === 0 && (
        <EmptyState icon={<Trash2 size={22} aria-hidden />} title={t("deletedEmpty")}>
          {t("deletedEmptyHelp")}
        </EmptyState>
      )}
      <ul>
        {(deleted.data ?? []).map((project) => (
          <Row
            key={project.id}
            project={project}
            isPending={restore.isPending && restore.variables === project.id}
            onRestore={() => restoreAndAnnounce(project)}
          />
        ))}
      </ul>
    </ListSection>
  );
}

function Row({ project, isPending, onRestore }: { project: DeletedProject; isPending: boolean; onRestore(): void }) {
  const now = useServiceTime();
  const members = useMembers().data;
  const name = members?.find(({ id }) => id === project.deleted_by_account_id)?.username ?? t("formerMember");
  const days = daysLeft(project.restorable_until, now);
  return (
    <ListRow
      picture={<ProjectDot project={project} />}
      title={<span className="min-w-0 truncate font-medium">{project.name}</span>}
      details={[
        t("deletedBy", { when: formatRelativeTime(project.deleted_at, now), name }),
        t("files", { count: project.file_count }),
        days > 0 ? t("erasedIn", { count: days }) : t("erasedToday"),
      ].join(" · ")}
    >
      <Button size="sm" aria-label={t("restoreOf", { name: project.name })} pending={isPending} onClick={onRestore}>
        {t("restore")}
      </Button>
    </ListRow>
  );
}
