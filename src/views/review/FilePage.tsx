import { Suspense, useState } from "react";
import { useSearchParams } from "react-router";
import type { NotificationKind } from "../../../contract/notification-records.ts";
import type { AudioFileInfo, FileInfoResponse } from "../../../contract/records.ts";
import type { TrackController } from "../../audio/player/track-controller.ts";
import { AddToPlaylistButton } from "../../components/playlists/AddToPlaylist.tsx";
import { FavoriteButton } from "../../components/favorites/FavoriteButton.tsx";
import { lazyPart, PartNotLoaded } from "../../components/lazy-part.tsx";
import { MissingFeatures } from "../../components/MissingFeatures.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { StatusMenu } from "../../components/status/StatusMenu.tsx";
import { kindOfName } from "../../lib/file-extension.ts";
import { t } from "../../lib/texts/review.ts";
import { fileItem } from "../../queries/favorites/listed-items.ts";
import { useShownVersion } from "../../queries/files/use-file.ts";
import { accessibleName, useIsAgent } from "../../queries/agents/agent-accounts.ts";
import { usePeople } from "../../queries/members.ts";
import { useSeenNotifications } from "../../queries/notifications/use-notifications.ts";
import { useHasFeature } from "../../queries/service.ts";
import { CommentsPanel } from "./comments/CommentsPanel.tsx";
import { CommentsProvider, useOptionalFileComments } from "./comments/CommentsProvider.tsx";
import { CommentTicks } from "./comments/CommentTicks.tsx";
import { CommentTimeline } from "./comments/CommentTimeline.tsx";
import { DeliveryBadge } from "./delivery/DeliveryBadge.tsx";
import { DeliveryPanel } from "./delivery/DeliveryPanel.tsx";
import { AudioFacts, StatusHistory } from "./facts/Facts.tsx";
import { FileChatLink, FileHeader, FilePath } from "./FileHeader.tsx";
import { FileLayout, useFileTrack } from "./FileLayout.tsx";
import { kindOfInfo, parseVersion, versionOf } from "./file-info.ts";
import { MetadataPanel } from "./metadata/MetadataPanel.tsx";
import { NonAudioFacts, NonAudioPage } from "./NonAudioPage.tsx";
import { CompactPlayer } from "./player/CompactPlayer.tsx";
import { PlayerPage, type PlayerProps } from "./player/PlayerPage.tsx";
import { Processing } from "./Processing.tsx";
import { useIsPainted } from "./use-is-painted.ts";
import { TagsPanel } from "./tags/TagsPanel.tsx";
import { TasksPanel } from "./tasks/TasksPanel.tsx";
import { WatchButton } from "./WatchButton.tsx";
import { useSelectVersion, VersionMenu, VersionNotices } from "./versions/Versions.tsx";

const LyricsPanel = lazyPart(
  async () => (await import("./document/LyricsPanel.tsx")).LyricsPanel,
  () => <PartNotLoaded />,
);

/** What the page shows at once: comments count as read when they are seen. */
const SHOWN_KINDS: NotificationKind[] = ["task_assigned", "task_due", "task_closed", "file_status"];

interface FilePageProps {
  info: FileInfoResponse;
  /** True if the loading state was not shown before, so that the whole page shows at once. */
  isCached: boolean;
}

/** Renders a file of any kind. The tasks panel stays mounted when the detected kind changes, because the user may be writing a task. */
export function FilePage({ info: latestInfo, isCached }: FilePageProps) {
  const [search] = useSearchParams();
  const requestedVersion = parseVersion(search);
  const { info, version, newest, isMissing } = useShownVersion(latestInfo, requestedVersion);
  const selectVersion = useSelectVersion(newest);
  const hasVersions = useHasFeature("files");
  const hasComments = useHasFeature("comments");
  const [track, setPrefersOriginal] = useFileTrack(info);
  const { id, name, project_id, file_team_id, status } = info.common;
  const isFolder = info.file_info.object === "folder_info";
  const [trackController, setTrackController] = useState<TrackController | null>(null);
  const isAudio = track !== null && !track.isVideo;
  const isPainted = useIsPainted(isCached || !isAudio);
  useSeenNotifications({ file_id: id, kinds: SHOWN_KINDS });
  const content = (
    <FileLayout
      header={
        <FileHeader
          common={info.common}
          coverUrl={track?.coverUrl}
          title={<PageTitle text={t("title", { file: name })} />}
          path={<FilePath common={latestInfo.common} />}
          chat={<FileChatLink common={latestInfo.common} />}
          actions={
            <>
              {isAudio && <AddToPlaylistButton projectId={project_id} file={{ id, name }} />}
              <FavoriteButton item={fileItem({ id, name, project_id, kind: kindOfInfo(info.file_info) })} className="max-tablet:size-10" />
            </>
          }
        >
          {hasVersions && version !== null && newest !== null && newest > 1 && (
            <VersionMenu common={latestInfo.common} version={version} newest={newest} onSelect={selectVersion} />
          )}
          <StatusMenu fileId={id} teamId={file_team_id} fileName={name} status={status} />
          {(isAudio || isNamedAudio(info)) && <DeliveryBadge common={info.common} />}
          {!isFolder && <WatchButton fileId={id} />}
        </FileHeader>
      }
      kind={isFolder ? "folder" : isAudio ? "audio" : "picture"}
      isPainted={isPainted}
      compactPlayer={track && trackController ? <CompactPlayer track={track} trackController={trackController} /> : undefined}
      main={isFolder ? null : <MainPanels info={info} />}
      aside={<DetailPanels info={info} isAudio={isAudio} trackController={trackController} />}
    >
      <Processing common={info.common} />
      {version !== null && newest !== null && (
        <VersionNotices
          common={latestInfo.common}
          version={version}
          newest={newest}
          missingVersion={isMissing ? requestedVersion : null}
          isRequested={requestedVersion !== null}
          onSelect={selectVersion}
        />
      )}
      {track ? (
        <CommentedPlayer info={info} track={track} isPainted={isPainted} onTrackController={setTrackController} onOriginalChange={setPrefersOriginal} />
      ) : (
        <NonAudioPage info={info} />
      )}
    </FileLayout>
  );
  if (isFolder || !hasComments) return content;
  return (
    <CommentsProvider fileId={id} projectId={project_id} version={version ?? 1} playback={trackController}>
      {content}
    </CommentsProvider>
  );
}

/** True for a file that is no audio yet, or that could not be decoded. */
const isNamedAudio = ({ common, file_info }: FileInfoResponse): boolean => file_info.object !== "folder_info" && kindOfName(common.name) === "audio";

/** Comments, and the lyrics that they are about. */
function MainPanels({ info: { common, file_info } }: { info: FileInfoResponse }) {
  const hasText = useHasFeature("knowledge-base");
  const version = versionOf(common);
  return (
    <>
      <CommentsPanel />
      {hasText && file_info.object === "audio_file_info" && file_info.annotations !== "" && version !== null && (
        <Suspense fallback={null}>
          <LyricsPanel fileId={common.id} version={version} />
        </Suspense>
      )}
      <MissingFeatures features={["comments", "tasks"]} className="px-4 py-5 tablet:px-5" />
    </>
  );
}

function DetailPanels({ info, isAudio, trackController }: { info: FileInfoResponse; isAudio: boolean; trackController: TrackController | null }) {
  const { common, file_info } = info;
  const person = usePeople(common.project_id)(common.account_id);
  const isAgent = useIsAgent(common.account_id);
  const isFolder = file_info.object === "folder_info";
  const hasTasks = useHasFeature("tasks");
  const hasStatuses = useHasFeature("statuses");
  const hasMetadata = useHasFeature("metadata");
  const panelProps = { uploadedBy: person ? accessibleName(person.name, isAgent) : null, statusHistory: hasStatuses && <StatusHistory common={common} /> };
  return (
    <>
      {isAudio && <TagsPanel info={info} trackController={trackController} />}
      {hasTasks && <TasksPanel common={common} isFolder={isFolder} />}
      {(isAudio || isNamedAudio(info)) && <DeliveryPanel common={common} />}
      {hasMetadata && !isFolder && <MetadataPanel common={common} kind={kindOfInfo(file_info)} />}
      {isFolder && <MissingFeatures features={["tasks"]} className="px-4 py-5 tablet:px-5" />}
      {isAudio ? (
        <AudioFacts common={common} info={file_info as AudioFileInfo} tags={info.ai_tags} {...panelProps} />
      ) : (
        <NonAudioFacts info={info} {...panelProps} />
      )}
    </>
  );
}

function CommentedPlayer(props: PlayerProps) {
  const comments = useOptionalFileComments();
  return (
    <PlayerPage
      {...props}
      onComment={comments?.canWrite ? comments.compose : undefined}
      onCommentRange={comments?.canWrite ? (from, to) => comments.composeRange(from * 1_000, to * 1_000) : undefined}
      ticks={comments && <CommentTicks />}
    >
      {comments && <CommentTimeline />}
    </PlayerPage>
  );
}
