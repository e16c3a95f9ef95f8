import { FolderX, type LucideIcon, MessageSquare } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Link, Navigate, NavigationType, useLocation, useNavigationType, useParams } from "react-router";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Project } from "../../../contract/records.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { getPersisted } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/files.ts";
import { isInaccessible } from "../../queries/describe-error.ts";
import type { FolderHierarchy } from "../../queries/file-lists/folder-tree.ts";
import { useFolders } from "../../queries/file-lists/file-list-queries.ts";
import { useTemplates } from "../../queries/metadata/use-templates.ts";
import { useProject } from "../../queries/projects.ts";
import { useFollowProject } from "../../sync/live/use-connection.ts";
import { announce } from "../../ui/announce.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { FolderView } from "./FolderView.tsx";
import { FilesError, FilesSkeleton } from "./list/Listing.tsx";
import { FILES_TAB_SETTING } from "./Toolbar.tsx";
import { folderPath, parseFolderId } from "./url-state.ts";

/** Renders a project's newest files at `/projects/:projectId/files`, and its folders at `…/files/folders` (the root) and `…/files/:folderId`. */
export function FilesView() {
  const { projectId, folderId } = useParams();
  const project = useProject(Number(projectId));
  if (project.data) return <ProjectFiles key={project.data.id} project={project.data} param={folderId} />;
  if (project.isError) return <FilesError error={project.error} retry={() => void project.refetch()} />;
  return <FilesSkeleton />;
}

/** Renders the folder that the URL names, or the reason why it is not available. */
function ProjectFiles({ project, param }: { project: Project; param: string | undefined }) {
  useFollowProject(project.id);
  // The listing needs the columns; they load while the folders do.
  useTemplates(project.team_id);
  const { tree, root, error, retry } = useFolders(project.id);
  const isRecent = param === undefined;
  const folderId = isRecent ? null : parseFolderId(param);
  const folder = folderId === null ? root : folderId === undefined ? undefined : tree?.get(folderId);
  const path = useLastPath(tree, folder);
  const opensFolders = useOpensFolders(isRecent);

  // Everyone who can see the project can see its folders, so this error means that the service does not support folders.
  if (error && isInaccessible(error))
    return (
      <Unavailable
        icon={MessageSquare}
        title={t("filesUnavailableTitle")}
        text={t("filesUnavailableHelp")}
        to={`/projects/${project.id}/chat`}
        linkText={t("toChat")}
      />
    );
  if (error) return <FilesError error={error} retry={retry} />;
  if (!tree || !root) return <FilesSkeleton />;
  if (opensFolders) return <Navigate to={folderPath(project.id, null)} replace />;
  if (!folder) return <MissingFolder project={project} path={path} tree={tree} folderId={folderId} />;
  return <FolderView project={project} folder={folder} tree={tree} isRecent={isRecent} />;
}

/**
 * Returns true if a link to the files, which does not say which view, leads to the folders because the person chose that tab last in this browser. The
 * browser's history and a reload always show what the URL says.
 */
function useOpensFolders(isRecent: boolean): boolean {
  const isPush = useNavigationType() === NavigationType.Push;
  const { search } = useLocation();
  // A change of the filter is no link to the files.
  const [wasRecent, setWasRecent] = useState(false);
  const opensFolders = isRecent && !wasRecent && isPush && search === "" && getPersisted(FILES_TAB_SETTING) === "folders";
  if (!opensFolders && wasRecent !== isRecent) setWasRecent(isRecent);
  return opensFolders;
}

/** Returns the path to the current folder, or to the last one shown if the current folder does not exist. */
function useLastPath(tree: FolderHierarchy<FileEntry> | undefined, folder: FileEntry | undefined): readonly FileEntry[] {
  const path = useMemo(() => (folder ? tree?.pathTo(folder.id) : undefined), [tree, folder]);
  const [lastPath, setLastPath] = useState<readonly FileEntry[]>([]);
  if (path && path !== lastPath) setLastPath(path);
  return path ?? lastPath;
}

interface MissingFolderProps {
  project: Project;
  path: readonly FileEntry[];
  tree: FolderHierarchy<FileEntry>;
  folderId: number | null | undefined;
}

/** Shows that the folder was deleted while open, or does not exist. */
function MissingFolder({ project, path, tree, folderId }: MissingFolderProps) {
  const deletedFolder = path.at(-1)?.id === folderId ? path.at(-1) : undefined;
  const nearestFolder = deletedFolder && path.findLast(({ id, parent_id }) => parent_id !== null && tree.get(id));
  const title = deletedFolder ? t("folderDeletedTitle", { folder: deletedFolder.name }) : t("folderNotFoundTitle");
  useEffect(() => announce(title), [title]);
  return (
    <Unavailable
      icon={FolderX}
      title={title}
      text={t(deletedFolder ? "folderDeletedHelp" : "folderNotFoundHelp")}
      to={folderPath(project.id, nearestFolder?.id ?? null)}
      linkText={nearestFolder ? t("goToFolder", { folder: nearestFolder.name }) : t("toRoot")}
    />
  );
}

function Unavailable({ icon: Icon, title, text, to, linkText }: { icon: LucideIcon; title: string; text: string; to: string; linkText: string }) {
  return (
    <div className="flex h-full flex-col justify-center-safe overflow-y-auto">
      <PageTitle text={`${title} · Talkback`} />
      <EmptyState
        icon={<Icon size={22} aria-hidden />}
        title={title}
        actions={
          <Link to={to} className={buttonClasses("primary")}>
            {linkText}
          </Link>
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}
