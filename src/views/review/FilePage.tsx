import { ChevronLeft, Download, MessageSquare } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import type { AudioFileInfo, FileCommon, FileInfoResponse } from "../../../contract/records.ts";
import type { TrackController } from "../../audio/player/track-controller.ts";
import { Cover } from "../../components/Cover.tsx";
import { DownloadAnchor } from "../../components/DownloadAnchor.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { StatusMenu } from "../../components/status/StatusMenu.tsx";
import { canPlay } from "../../lib/browser.ts";
import { classNames } from "../../lib/class-names.ts";
import { usePersistedState } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/review.ts";
import { useShownVersion } from "../../queries/files/use-file.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { CommentsPanel } from "./comments/CommentsPanel.tsx";
import { CommentsProvider, useOptionalFileComments } from "./comments/CommentsProvider.tsx";
import { CommentTimeline } from "./comments/CommentTimeline.tsx";
import { AudioFacts } from "./facts/Facts.tsx";
import { downloadUrl, getOriginal, parseVersion, toTrack } from "./file-info.ts";
import { NonAudioFacts, NonAudioPage } from "./NonAudioPage.tsx";
import { PlayerPage, type PlayerProps } from "./player/PlayerPage.tsx";
import { loadPrefersOriginal, savePrefersOriginal } from "./player/Transport.tsx";
import { Processing } from "./Processing.tsx";
import { TagsPanel } from "./tags/TagsPanel.tsx";
import { TasksPanel } from "./tasks/TasksPanel.tsx";
import { useSelectVersion, VersionMenu, VersionNotices } from "./versions/Versions.tsx";

/** Renders a file of any kind. The tasks panel stays mounted when the detected kind changes, because the user may be writing a task. */
export function FilePage({ info: latestInfo }: { info: FileInfoResponse }) {
  const [search] = useSearchParams();
  const requestedVersion = parseVersion(search);
  const { info, version, newest, isMissing } = useShownVersion(latestInfo, requestedVersion);
  const selectVersion = useSelectVersion(newest);
  const [prefersOriginal, setPrefersOriginal] = usePersistedState(loadPrefersOriginal, savePrefersOriginal);
  const track = toTrack(info, prefersOriginal && getOriginal(info, canPlay)?.isPlayable);
  const isFolder = info.file_info.object === "folder_info";
  const [trackController, setTrackController] = useState<TrackController | null>(null);
  const isAudio = track !== null && !track.isVideo;
  // Panels below the waveform render after the first paint, so that they do not delay the waveform.
  const showPanels = useDeferredValue(true, false);
  const content = (
    <div className="flex h-full flex-col">
      <FileHeader
        common={info.common}
        coverUrl={track?.coverUrl}
        versionMenu={
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
            missingVersion={isMissing ? requestedVersion : null}
            isRequested={requestedVersion !== null}
            onSelect={selectVersion}
          />
        )}
        {track ? (
          <CommentedPlayer info={info} track={track} onTrackController={setTrackController} onOriginalChange={setPrefersOriginal} />
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
    <CommentsProvider fileId={id} projectId={project_id} version={version ?? 1} playback={trackController}>
      {content}
    </CommentsProvider>
  );
}

function FileHeader({ common, coverUrl, versionMenu }: { common: FileCommon; coverUrl: string | undefined; versionMenu: ReactNode }) {
  const { id, name, project_id, file_team_id, status, url } = common;
  const chatPath = `/projects/${project_id}/chat`;
  const navigate = useNavigate();
  const isFromFiles = (useLocation().state as { fromFiles?: boolean } | null)?.fromFiles === true;
  const backLabel = t(isFromFiles ? "backToFiles" : "back");
  return (
    <header className="flex min-h-14 shrink-0 items-center gap-2 border-b border-line py-1.5 pr-3 pl-2 tablet:pl-4">
      <PageTitle text={t("title", { file: name })} />
      <Link
        to={isFromFiles ? `/projects/${project_id}/files` : chatPath}
        aria-label={backLabel}
        title={backLabel}
        onClick={(event) => {
          if (!isFromFiles || event.ctrlKey || event.metaKey || event.shiftKey) return;
          // Goes back in history to restore the position in the file list.
          event.preventDefault();
          void navigate(-1);
        }}
        className={`${iconButtonClasses} max-tablet:size-10`}
      >
        <ChevronLeft size={20} aria-hidden />
      </Link>
      {coverUrl !== undefined && <Cover url={coverUrl} className="mr-1 size-10" />}
      <div className="flex min-w-0 flex-1 flex-col tablet:flex-row tablet:items-center tablet:gap-2.5">
        <h1 tabIndex={-1} title={name} className="truncate text-lg font-semibold">
          <bdi>{name}</bdi>
        </h1>
        <div className="-ml-1 flex min-w-0 items-center gap-2 tablet:ml-0">
          {versionMenu}
          <StatusMenu fileId={id} teamId={file_team_id} fileName={name} status={status} />
        </div>
      </div>
      <Link to={chatPath} className={`${buttonClasses("ghost")} max-tablet:hidden`}>
        <MessageSquare size={16} aria-hidden />
        {t("inChat")}
      </Link>
      <DownloadAnchor
        url={downloadUrl(url)}
        fileName={name}
        aria-label={t("download")}
        data-tooltip={t("download")}
        className={`${iconButtonClasses} max-tablet:size-10`}
      >
        <Download size={18} aria-hidden />
      </DownloadAnchor>
    </header>
  );
}

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
          <TagsPanel info={info} trackController={trackController} />
          <AudioFacts common={common} info={file_info as AudioFileInfo} />
        </>
      ) : (
        <NonAudioFacts info={info} />
      )}
    </>
  );
}

function CommentedPlayer(props: PlayerProps) {
  const comments = useOptionalFileComments();
  return (
    <PlayerPage {...props} onComment={comments?.compose}>
      {comments && <CommentTimeline />}
    </PlayerPage>
  );
}
