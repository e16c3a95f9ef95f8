import { useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import type { AudioFileInfo, FileInfoResponse } from "../../../contract/records.ts";
import type { TrackController } from "../../audio/player/track-controller.ts";
import { classNames } from "../../lib/class-names.ts";
import { isProcessing } from "../../queries/files/file-updates.ts";
import { useShownVersion } from "../../queries/files/use-versions.ts";
import { useOptionalCommentsContext } from "./comments/comments-context.ts";
import { CommentsPanel } from "./comments/CommentsPanel.tsx";
import { CommentsProvider } from "./comments/CommentsProvider.tsx";
import { CommentTimeline } from "./comments/CommentTimeline.tsx";
import { AudioFacts } from "./facts/AudioFacts.tsx";
import { getOriginal, parseVersion, toTrack } from "./file-info.ts";
import { FileHeader } from "./FileHeader.tsx";
import { NonAudioFacts, NonAudioPage } from "./NonAudioPage.tsx";
import { PlayerPage, type PlayerProps } from "./player/PlayerPage.tsx";
import { canPlay, loadPrefersOriginal, savePrefersOriginal } from "./player/QualityMenu.tsx";
import { Processing } from "./Processing.tsx";
import { TagsPanel } from "./tags/TagsPanel.tsx";
import { TasksPanel } from "./tasks/TasksPanel.tsx";
import { useSelectVersion, VersionMenu } from "./versions/VersionMenu.tsx";
import { VersionNotices } from "./versions/VersionNotices.tsx";
import type { Viewport } from "./waveform/viewport.ts";

/** Renders a file of any kind. The tasks panel stays mounted when the detected kind changes, because the user may be writing a task. */
export function FilePage({ info: latestInfo }: { info: FileInfoResponse }) {
  const [search] = useSearchParams();
  const requestedVersion = parseVersion(search);
  const { info, version, newest, missing } = useShownVersion(latestInfo, requestedVersion);
  const selectVersion = useSelectVersion(newest);
  const [prefersOriginal, setPrefersOriginal] = useState(loadPrefersOriginal);
  const track = toTrack(info, prefersOriginal && getOriginal(info, canPlay)?.playable);
  const isFolder = info.file_info.object === "folder_info";
  const [trackController, setTrackController] = useState<TrackController | null>(null);
  const isAudio = track !== null && !track.isVideo;
  // Panels below the waveform render after the first paint, so that they do not delay the waveform.
  const showPanels = useDeferredValue(true, false);
  const content = (
    <div className="flex h-full flex-col">
      <FileHeader
        common={info.common}
        version={
          version !== null &&
          newest !== null &&
          newest > 1 && <VersionMenu common={latestInfo.common} version={version} newest={newest} onSelect={selectVersion} />
        }
      />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <Processing common={info.common} />
        {version !== null && newest !== null && (
          <VersionNotices
            fileId={info.common.id}
            version={version}
            newest={newest}
            missingVersion={missing ? requestedVersion : null}
            isRequested={requestedVersion !== null}
            onSelect={selectVersion}
          />
        )}
        {track ? (
          <CommentedPlayer
            info={info}
            track={track}
            onTrackController={setTrackController}
            onOriginalChange={(next) => {
              setPrefersOriginal(next);
              savePrefersOriginal(next);
            }}
          />
        ) : (
          <NonAudioPage info={info} />
        )}
        <div
          className={classNames(
            "flex-1 border-line",
            !isFolder && "border-t",
            isAudio && "desktop:grid desktop:grid-cols-[minmax(0,1fr)_22.5rem] desktop:grid-rows-[auto_1fr]",
          )}
        >
          {showPanels && <DetailPanels info={info} isAudio={isAudio} trackController={trackController} />}
        </div>
      </div>
    </div>
  );
  if (isFolder) return content;
  const { id, project_id } = info.common;
  return (
    <CommentsProvider fileId={id} projectId={project_id} version={version ?? 1} clock={trackController}>
      {content}
    </CommentsProvider>
  );
}

/** Renders the comments, tasks, and details below the player or preview. */
function DetailPanels({ info, isAudio, trackController }: { info: FileInfoResponse; isAudio: boolean; trackController: TrackController | null }) {
  const { common, file_info } = info;
  return (
    <>
      <div className="min-w-0">
        <CommentsPanel />
        <TasksPanel common={common} isFolder={file_info.object === "folder_info"} />
      </div>
      {isAudio ? (
        <>
          <TagsPanel info={info} trackController={trackController} processing={isProcessing(common.transcoding_status)} />
          <AudioFacts common={common} info={file_info as AudioFileInfo} />
        </>
      ) : (
        <NonAudioFacts info={info} />
      )}
    </>
  );
}

const renderComments = (view: Viewport) => <CommentTimeline view={view} />;

/** Renders the player of an audio or video file with its comments under the waveform. */
function CommentedPlayer(props: PlayerProps) {
  const commentsContext = useOptionalCommentsContext();
  return <PlayerPage {...props} renderBelowWaveform={commentsContext ? renderComments : undefined} onComment={commentsContext?.compose} />;
}
