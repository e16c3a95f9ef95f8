import { Archive } from "lucide-react";
import { t } from "../../lib/texts/projects.ts";
import { useCan } from "../../queries/permissions.ts";
import { useUpdateProject } from "../../queries/project-life.ts";
import { useProject } from "../../queries/projects.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorNotice } from "../ErrorNotice.tsx";

/** Says that nobody can change anything in an archived project, and takes it out of the archive; shows nothing for another project. */
export function ArchivedNotice({ projectId }: { projectId: number }) {
  const project = useProject(projectId).data;
  const canEdit = useCan("project.edit");
  const update = useUpdateProject();
  if (!project?.archived_at) return null;
  return (
    <div role="note" className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-raised px-5 py-2 max-tablet:px-3.5">
      <Archive size={16} aria-hidden className="shrink-0 text-text-2" />
      <p className="min-w-0 flex-[1_1_16rem] text-sm text-text-2">{t("archivedNotice")}</p>
      {canEdit && (
        <Button size="sm" pending={update.isPending} onClick={() => update.mutate({ id: projectId, archived: false })}>
          {t("unarchive")}
        </Button>
      )}
      <ErrorNotice error={update.error} />
    </div>
  );
}
