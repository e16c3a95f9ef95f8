import { Archive } from "lucide-react";
import { t } from "../../lib/texts/projects.ts";
import { useProject } from "../../queries/projects.ts";
import { focusHeading } from "../../ui/focus-heading.ts";
import { UnarchiveButton } from "./UnarchiveButton.tsx";

/** Shows that a project is archived, and unarchives it; shows nothing for another project. */
export function ArchivedNotice({ projectId }: { projectId: number }) {
  const project = useProject(projectId).data;
  if (!project?.archived_at) return null;
  return (
    <div role="note" className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-raised px-5 py-2 max-tablet:px-3.5">
      <Archive size={16} aria-hidden className="shrink-0 text-text-2" />
      <p className="min-w-0 flex-[1_1_16rem] text-sm text-text-2">{t("archivedNotice")}</p>
      <UnarchiveButton project={project} onDone={focusHeading} />
    </div>
  );
}
