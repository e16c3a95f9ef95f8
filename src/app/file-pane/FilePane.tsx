/** A file beside a chat: its player or preview, its status and its comments. */
import { Maximize2 } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { type TrackController, useTrackController, useTrackControllerState } from "../../audio/player/track-controller.ts";
import type { Track } from "../../audio/player/track.ts";
import { useDetectedDuration } from "../../audio/player/use-player.ts";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { MiniWaveform } from "../../components/MiniWaveform.tsx";
import { PlayButton } from "../../components/PlayButton.tsx";
import { InProject } from "../../components/projects/InProject.tsx";
import { StatusMenu } from "../../components/status/StatusMenu.tsx";
import { formatPosition } from "../../lib/format.ts";
import { t } from "../../lib/texts/file-pane.ts";
import { isInaccessible } from "../../queries/describe-error.ts";
import { useFileInfo } from "../../queries/files/use-file.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useFollowProject } from "../../sync/live/use-connection.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { CloseButton, iconButtonClasses } from "../../ui/IconButton.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
import { isShortcutAllowed, useDocumentKeydown } from "../../ui/use-document-keydown.ts";
import { CommentsPanel } from "../../views/review/comments/CommentsPanel.tsx";
import { CommentsProvider, useOptionalFileComments } from "../../views/review/comments/CommentsProvider.tsx";
import { versionOf } from "../../views/review/file-info.ts";
import { useFileTrack } from "../../views/review/FileLayout.tsx";
import { NonAudioPage } from "../../views/review/NonAudioPage.tsx";
import { PaneEdge, usePaneWidth } from "./PaneEdge.tsx";

interface Props {
  fileId: number;
  onClose(): void;
}

/** The file may belong to another project than the chat, whose archived state is not its own. */
export function FilePane(props: Props) {
  const projectId = useFileInfo(props.fileId).data?.common.project_id ?? 0;
  return (
    <InProject id={projectId}>
      <Pane {...props} />
    </InProject>
  );
}

function Pane({ fileId, onClose }: Props) {
  const { data: info, error, refetch } = useFileInfo(fileId);
  useFollowProject(info?.common.project_id ?? null);
  const [width, setWidth] = usePaneWidth();
  const name = info?.common.name ?? "";
  return (
    <section aria-label={t("label", { file: name })} style={{ width }} className="relative flex h-full shrink-0 flex-col border-l border-line bg-surface">
      <PaneEdge width={width} onChange={setWidth} />
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4">
        <h2 title={name} className="min-w-0 flex-1 truncate font-semibold">
          <bdi>{name}</bdi>
        </h2>
        {info && <StatusMenu fileId={fileId} teamId={info.common.file_team_id} fileName={name} status={info.common.status} />}
        <Link to={`/files/${fileId}`} aria-label={t("openPage")} data-tooltip={t("openPage")} className={iconButtonClasses}>
          <Maximize2 size={16} aria-hidden />
        </Link>
        <CloseButton label={t("close")} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {info && <Content info={info} />}
        {!info &&
          error &&
          (isInaccessible(error) ? <EmptyState title={t("missing")}>{t("missingHelp")}</EmptyState> : <LoadError error={error} retry={() => void refetch()} />)}
        {!info && !error && (
          <div role="status" aria-label={t("loading")} className="p-4">
            <RowsSkeleton rows={4} />
          </div>
        )}
      </div>
    </section>
  );
}

function Content({ info }: { info: FileInfoResponse }) {
  const [track] = useFileTrack(info);
  const [trackController, setTrackController] = useState<TrackController | null>(null);
  const hasComments = useHasFeature("comments");
  const { id, project_id } = info.common;
  const stage = track && !track.isVideo ? <Player track={track} onTrackController={setTrackController} /> : <NonAudioPage info={info} />;
  if (!hasComments || info.file_info.object === "folder_info") return stage;
  return (
    <CommentsProvider fileId={id} projectId={project_id} version={versionOf(info.common) ?? 1} playback={trackController}>
      <CommentKey />
      {stage}
      <CommentsPanel />
    </CommentsProvider>
  );
}

/** M opens the composer, as on the file's page. */
function CommentKey(): null {
  const comments = useOptionalFileComments();
  useDocumentKeydown((event) => {
    if (!comments?.playback || !comments.canWrite || event.key.toLowerCase() !== "m" || !isShortcutAllowed(event)) return;
    event.preventDefault();
    comments.compose();
  });
  return null;
}

function Player({ track: given, onTrackController }: { track: Track; onTrackController(trackController: TrackController | null): void }) {
  const detected = useDetectedDuration(given);
  const track = given.duration > 0 ? given : { ...given, duration: detected };
  const trackController = useTrackController(track);
  useEffect(() => {
    onTrackController(trackController);
    return () => onTrackController(null);
  }, [trackController, onTrackController]);
  const playback = useTrackControllerState(trackController);
  return (
    <div role="group" aria-label={t("player")} className="flex items-center gap-3 border-b border-line px-4 py-4">
      <PlayButton name={track.name} playback={playback} onClick={trackController.toggle} className="size-10 bg-accent text-accent-ink hover:brightness-105" />
      <div className="min-w-0 flex-1">
        <MiniWaveform
          wave={track.wave}
          duration={track.duration}
          position={playback.position}
          label={t("position", { file: track.name })}
          onSeek={trackController.seek}
          height={48}
        />
        <p className="tabular mt-1 flex justify-between text-xs text-text-2">
          <span>{formatPosition(playback.position)}</span>
          <span>{formatPosition(track.duration)}</span>
        </p>
        {playback.error !== null && (
          <p role="alert" className="text-sm text-danger">
            {playback.error}
          </p>
        )}
      </div>
    </div>
  );
}
