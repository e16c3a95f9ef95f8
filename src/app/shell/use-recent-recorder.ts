import { useMatch } from "react-router";
import { usePlayerValue } from "../../audio/player/use-player.ts";
import { useRecording } from "../../queries/favorites/use-favorite-lists.ts";
import { useFileInfo } from "../../queries/files/use-file.ts";
import { useProject } from "../../queries/projects.ts";

/** Records the project, file or playlist that the page shows once it has loaded, and the file that plays. */
export function useRecentRecorder(isEnabled: boolean): void {
  const projectId = Number(useMatch("/projects/:projectId/*")?.params.projectId ?? 0);
  const fileId = Number(useMatch("/files/:fileId")?.params.fileId ?? 0);
  const file = useFileInfo(fileId, false).data;
  // A voice note is part of its message, and a recording of this page has no file yet.
  const playedId = usePlayerValue(({ track, isPlaying }) =>
    isPlaying && track && !track.isVoice && track.pagePath !== null && track.fileId > 0 ? track.fileId : 0,
  );
  useRecording("project", useProject(projectId).data?.id ?? 0, "opened", isEnabled);
  useRecording("file", file?.common.id ?? 0, "opened", isEnabled);
  useRecording("file", playedId, "played", isEnabled);
}
