import { ListMusic, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Playlist } from "../../../contract/playlist-records.ts";
import { ListState } from "../../components/ListSection.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { NewPlaylistDialog } from "../../components/playlists/PlaylistForm.tsx";
import { describePlaylist } from "../../components/playlists/playlist-facts.ts";
import { playlistPath } from "../../components/playlists/playlist-queue.ts";
import { InProject } from "../../components/projects/InProject.tsx";
import { t } from "../../lib/texts/playlists.ts";
import { useCan } from "../../queries/permissions.ts";
import { usePlaylists } from "../../queries/playlists/use-playlists.ts";
import { useProject } from "../../queries/projects.ts";
import { useFollowProject } from "../../sync/live/use-connection.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";
import { PlaylistIcon, PlaylistMenu } from "./PlaylistMenu.tsx";

/** Lists the playlists of all projects. */
export function PlaylistsView() {
  return (
    <div className="flex h-full flex-col">
      <PageTitle text={t("pageTitle", { name: t("title") })} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6">
          <PlaylistList projectId={null} />
        </div>
      </div>
    </div>
  );
}

/** Lists the playlists of one project, under the project's header. */
export function ProjectPlaylistsView() {
  const projectId = Number(useParams()["projectId"]);
  useFollowProject(projectId);
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6 tablet:py-8">
        <PlaylistList projectId={projectId} />
      </div>
    </div>
  );
}

function PlaylistList({ projectId }: { projectId: number | null }) {
  const navigate = useNavigate();
  const playlists = usePlaylists(projectId);
  const canCreate = useCan("playlist.create");
  const [isCreating, setIsCreating] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const focusAfterRemoval = useFocusAfterRemoval(heading);
  const Heading = projectId === null ? "h1" : "h2";
  const isEmpty = playlists.data?.length === 0;
  const createButton = canCreate && (
    <Button icon={Plus} variant="primary" onClick={() => setIsCreating(true)}>
      {t("create")}
    </Button>
  );
  return (
    <section>
      <div className="mb-3 flex min-h-8 items-center justify-between gap-4">
        <Heading ref={heading} tabIndex={-1} className="text-lg font-semibold">
          {t("title")}
        </Heading>
        {!isEmpty && createButton}
      </div>
      <div className="rounded-lg border border-line dark:bg-bg/40">
        <ListState query={playlists} rows={4} />
        {isEmpty && (
          <EmptyState icon={<ListMusic size={22} aria-hidden />} title={t("empty")} actions={createButton}>
            {t(canCreate ? "emptyHelp" : "emptyReadOnly")}
          </EmptyState>
        )}
        <ul>
          {playlists.data?.map((playlist) => (
            <PlaylistRow key={playlist.id} playlist={playlist} showsProject={projectId === null} onDeleted={focusAfterRemoval} />
          ))}
        </ul>
      </div>
      {isCreating && <NewPlaylistDialog projectId={projectId} onCreated={({ id }) => void navigate(playlistPath(id))} onClose={() => setIsCreating(false)} />}
    </section>
  );
}

function PlaylistRow({ playlist, showsProject, onDeleted }: { playlist: Playlist; showsProject: boolean; onDeleted(): void }) {
  const project = useProject(playlist.project_id).data;
  return (
    <li className="relative flex min-h-15 items-center gap-3 border-b border-line px-3 py-2 last:border-0 hover:bg-hover/60">
      <PlaylistIcon />
      <div className="min-w-0 flex-1">
        <Link to={playlistPath(playlist.id)} className="block truncate font-medium after:absolute after:inset-0 hover:underline">
          <bdi>{playlist.name}</bdi>
        </Link>
        <p className="tabular truncate text-sm text-text-2">
          {describePlaylist(playlist)}
          {showsProject && project && ` · ${project.name}`}
        </p>
      </div>
      <span className="relative">
        <InProject id={playlist.project_id}>
          <PlaylistMenu playlist={playlist} onDeleted={onDeleted} />
        </InProject>
      </span>
    </li>
  );
}
