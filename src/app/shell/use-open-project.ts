import { useMatch } from "react-router";
import { useProjectOfFile } from "../../queries/files/use-project-of-file.ts";

/** Returns the project that the page belongs to: its own pages and those of its files. */
export function useOpenProjectId(): number | undefined {
  const projectId = useMatch("/projects/:projectId/*")?.params.projectId;
  const fileId = useMatch("/files/:fileId")?.params.fileId;
  const projectOfFile = useProjectOfFile(Number(fileId ?? 0));
  return projectId === undefined ? projectOfFile : Number(projectId);
}
