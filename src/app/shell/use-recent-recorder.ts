import { useMatch } from "react-router";
import { usePlayerValue, useQueueValue } from "../../audio/player/use-player.ts";
import { playlistOfQueue } from "../../components/playlists/playlist-queue.ts";
import { useRecording } from "../../queries/favorites/use-favorite-lists.ts";
import { useFileInfo } from "../../queries/files/use-file.ts";
import { usePlaylist } from "../../queries/playlists/use-playlists.ts";
import { useProject } from "../../queries/projects.ts";

/** Records the project, file or playlist that the page shows once it has loaded, and what plays. */
export function useRecentRecorder(isEnabled: boolean): void {
  const projectId = Number(useMatch("/projects/:projectId/*")?.params.projectId ?? 0);
  const fileId = Number(useMatch("/files/:fileId")?.params.fileId ?? 0);
  const playlistId = Number(useMatch("/playlists/:playlistId")?.params.playlistId ?? 0);
  useRecording("project", useProject(projectId).data?.id ?? 0, "opened", isEnabled);
  useRecording("file", useFileInfo(fileId, false).data?.common.id ?? 0, "opened", isEnabled);
  useRecording("playlist", usePlaylist(playlistId, false).data?.id ?? 0, "opened", isEnabled);

  const isPlaying = usePlayerValue((state) => state.isPlaying);
  const track = usePlayerValue((state) => state.track);
  const playedPlaylistId = playlistOfQueue(useQueueValue(({ queue, current }) => (current ? queue?.key : undefined)));
  // A voice note is part of its message, a recording of this page has no file yet, and the files of a playlist would displace everything else.
  const isFile = track !== null && !track.isVoice && track.pagePath !== null && track.fileId > 0 && playedPlaylistId === 0;
  useRecording("file", isPlaying && isFile ? track.fileId : 0, "played", isEnabled);
  useRecording("playlist", isPlaying ? playedPlaylistId : 0, "played", isEnabled);
}
