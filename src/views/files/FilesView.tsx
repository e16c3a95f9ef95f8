import { useParams } from "react-router";
import { LoadError } from "../../parts/load-error/LoadError.tsx";
import { useProject } from "../../queries/projects/use-projects.ts";
import { FilesSkeleton } from "./components/FilesSkeleton.tsx";
import { ProjectFiles } from "./components/ProjectFiles.tsx";

/** Renders a project's files by folder, at `/projects/:projectId/files` and `…/files/:folderId`. */
export function FilesView() {
  const { projectId, folderId } = useParams();
  const project = useProject(Number(projectId));
  if (project.data) return <ProjectFiles key={project.data.id} project={project.data} param={folderId} />;
  if (project.isError)
    return (
      <div className="mx-auto max-w-160 p-5">
        <LoadError error={project.error} retry={() => void project.refetch()} />
      </div>
    );
  return <FilesSkeleton />;
}
