import { ChevronLeft, ListMusic, Pause, Play, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Playlist } from "../../../contract/playlist-records.ts";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { FavoriteButton } from "../../components/favorites/FavoriteButton.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { describePlaylist } from "../../components/playlists/playlist-facts.ts";
import { isPlayable, usePlaylistPlayback } from "../../components/playlists/playlist-queue.ts";
import { InProject } from "../../components/projects/InProject.tsx";
import { t } from "../../lib/texts/playlists.ts";
import { playlistItem } from "../../queries/favorites/listed-items.ts";
import { usePlaylistItems } from "../../queries/playlists/use-playlist-items.ts";
import { usePlaylist, usePlaylistPermissions } from "../../queries/playlists/use-playlists.ts";
import { useProject } from "../../queries/projects.ts";
import { useFollowProject, useFollowProjects } from "../../sync/live/use-connection.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
import { AddTracksDialog } from "./AddTracksDialog.tsx";
import { PlaylistMenu } from "./PlaylistMenu.tsx";
import { TrackList } from "./TrackList.tsx";

/** Shows a playlist with its tracks. */
export function PlaylistView() {
  const id = Number(useParams()["playlistId"]);
  const { data: playlist, error, isMissing, refetch } = usePlaylist(id);
  // Also after its deletion, which somebody may undo.
  useFollowProject(playlist?.project_id ?? null);
  if (playlist && !isMissing)
    return (
      <InProject key={id} id={playlist.project_id}>
        <PlaylistPage playlist={playlist} />
      </InProject>
    );
  return (
    <div className="h-full overflow-y-auto">
      <PageTitle text={t("pageTitle", { name: t("title") })} />
      <div className="mx-auto w-full max-w-190 px-4 py-6">
        {!error && !isMissing && <RowsSkeleton rows={6} />}
        {error && !isMissing && <LoadError error={error} retry={() => void refetch()} />}
        {isMissing && (
          <EmptyState
            icon={<ListMusic size={22} aria-hidden />}
            title={t("missing")}
            actions={
              <Link to="/playlists" className="text-link underline underline-offset-2">
                {t("back")}
              </Link>
            }
          >
            {t("missingHelp")}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

function PlaylistPage({ playlist }: { playlist: Playlist }) {
  const { id, name, project_id: projectId } = playlist;
  const navigate = useNavigate();
  const project = useProject(projectId).data;
  const { canEdit } = usePlaylistPermissions(playlist);
  const { items, error, refetch } = usePlaylistItems(id);
  const playback = usePlaylistPlayback(playlist, items);
  const [isAdding, setIsAdding] = useState(false);
  useFollowProjects((items ?? []).map((item) => item.project_id));
  const canPlay = items?.some(isPlayable) ?? false;
  const addButton = canEdit && (
    <Button icon={Plus} onClick={() => setIsAdding(true)}>
      {t("add")}
    </Button>
  );
  return (
    <div className="flex h-full flex-col">
      <PageTitle text={t("pageTitle", { name })} />
      <header className="flex min-h-14 shrink-0 items-center gap-2 border-b border-line py-1.5 pr-3 pl-2 tablet:pl-4">
        <Link to={`/projects/${projectId}/playlists`} aria-label={t("back")} data-tooltip={t("back")} className={`${iconButtonClasses} max-tablet:size-10`}>
          <ChevronLeft size={20} aria-hidden />
        </Link>
        <div className="min-w-0 flex-1">
          <h1 tabIndex={-1} title={name} className="truncate text-lg font-semibold">
            <bdi>{name}</bdi>
          </h1>
          <p className="tabular truncate text-sm text-text-2">
            {describePlaylist(playlist)}
            {project && ` · ${project.name}`}
          </p>
        </div>
        {canPlay && (
          <Button variant="primary" icon={playback.isPlaying ? Pause : Play} onClick={playback.toggle}>
            {t(playback.isPlaying ? "pauseAll" : "playAll")}
          </Button>
        )}
        <span className="max-tablet:hidden">{addButton}</span>
        <FavoriteButton item={playlistItem(playlist, project?.name)} className="max-tablet:size-10" />
        <PlaylistMenu playlist={playlist} onDeleted={() => void navigate(`/projects/${projectId}/playlists`)} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-240 px-4 py-4 tablet:px-6">
          {!items && (error ? <LoadError error={error} retry={() => void refetch()} /> : <RowsSkeleton rows={6} />)}
          {items?.length === 0 && (
            <EmptyState icon={<ListMusic size={22} aria-hidden />} title={t("noTracks")} actions={addButton}>
              {t(canEdit ? "noTracksHelp" : "noTracksReadOnly")}
            </EmptyState>
          )}
          {items && items.length > 0 && <TrackList playlist={playlist} items={items} canEdit={canEdit} playback={playback} />}
          {(playlist.hidden_item_count ?? 0) > 0 && <p className="px-2 py-3 text-sm text-text-2">{t("hidden", { count: playlist.hidden_item_count ?? 0 })}</p>}
          {items && items.length > 0 && addButton && <div className="py-4 tablet:hidden">{addButton}</div>}
        </div>
      </div>
      {isAdding && <AddTracksDialog playlist={playlist} count={items?.length ?? 0} onClose={() => setIsAdding(false)} />}
    </div>
  );
}
