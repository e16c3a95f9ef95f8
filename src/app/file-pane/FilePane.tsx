/** A file beside a chat: its player or preview, its status and its comments. */
import { Maximize2 } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { type TrackController, useTrackController, useTrackControllerState } from "../../audio/player/track-controller.ts";
import type { Track } from "../../audio/player/track.ts";
import { useDetectedDuration } from "../../audio/player/use-player.ts";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { filePath, pagePathOf } from "../../components/file-link.ts";
import { MiniWaveform } from "../../components/MiniWaveform.tsx";
import { PlayButton } from "../../components/PlayButton.tsx";
import { InProject } from "../../components/projects/InProject.tsx";
import { StatusMenu } from "../../components/status/StatusMenu.tsx";
import { classNames } from "../../lib/class-names.ts";
import { formatPosition } from "../../lib/format.ts";
import { t } from "../../lib/texts/file-pane.ts";
import { isInaccessible } from "../../queries/describe-error.ts";
import { useFileInfo, useShownVersion } from "../../queries/files/use-file.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useFollowProject } from "../../sync/live/use-connection.ts";
import { CloseButton, iconButtonClasses } from "../../ui/IconButton.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
import { isInArea, isShortcutAllowed, NON_TEXT_INPUTS, useDocumentKeydown, usesLetterKeys } from "../../ui/use-document-keydown.ts";
import { CommentsPanel } from "../../views/review/comments/CommentsPanel.tsx";
import { CommentsProvider, useOptionalFileComments } from "../../views/review/comments/CommentsProvider.tsx";
import { parseVersion } from "../../views/review/file-info.ts";
import { useFileTrack } from "../../views/review/FileLayout.tsx";
import { MissingFile } from "../../views/review/MissingFile.tsx";
import { NonAudioPage } from "../../views/review/NonAudioPage.tsx";
import { VideoPlayer } from "../../views/review/player/VideoPlayer.tsx";
import { useSelectVersion, VersionNotices } from "../../views/review/versions/Versions.tsx";
import { PaneEdge, usePaneWidth } from "./PaneEdge.tsx";

interface FilePaneProps {
  fileId: number;
  /** True in a window without room for both. */
  coversChat: boolean;
  onClose(): void;
}

/** The file may belong to another project than the chat, whose archived state is not its own. */
export function FilePane(props: FilePaneProps) {
  const projectId = useFileInfo(props.fileId).data?.common.project_id ?? 0;
  return (
    <InProject id={projectId}>
      <Pane {...props} />
    </InProject>
  );
}

function Pane({ fileId, coversChat, onClose }: FilePaneProps) {
  const { data, error, refetch } = useFileInfo(fileId);
  const isMissing = error !== null && isInaccessible(error);
  // A file that was deleted meanwhile, or that is no longer accessible, is still in the cache.
  const info = isMissing ? undefined : data;
  useFollowProject(info?.common.project_id ?? null);
  const [width, setWidth] = usePaneWidth();
  const area = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnHeading(heading, data !== undefined || error !== null, isMissing);
  const name = info?.common.name ?? (isMissing ? t("missing") : "");
  return (
    <section
      ref={area}
      aria-label={info ? t("label", { file: name }) : name || t("loading")}
      style={coversChat ? undefined : { width }}
      className={classNames("flex h-full flex-col border-line bg-surface", coversChat ? "absolute inset-0 z-20" : "relative shrink-0 border-l")}
    >
      {!coversChat && <PaneEdge width={width} onChange={setWidth} />}
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4">
        <h2 ref={heading} tabIndex={-1} title={name} className="min-w-0 flex-1 truncate font-semibold">
          <bdi>{name}</bdi>
        </h2>
        {info && <StatusMenu fileId={fileId} teamId={info.common.file_team_id} fileName={name} status={info.common.status} />}
        <OpenPageLink fileId={fileId} />
        <CloseButton label={t("close")} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {info && <Content info={info} area={area} />}
        {isMissing && <MissingFile fileId={fileId} />}
        {!info && error && !isMissing && <LoadError error={error} retry={() => void refetch()} />}
        {!info && !error && (
          <div role="status" aria-label={t("loading")} className="p-4">
            <RowsSkeleton rows={4} />
          </div>
        )}
      </div>
    </section>
  );
}

/** Opens the page of the file at the version and the comment that the pane shows. */
function OpenPageLink({ fileId }: { fileId: number }) {
  const [search] = useSearchParams();
  return (
    <Link to={pagePathOf(search) ?? filePath(fileId)} aria-label={t("openPage")} data-tooltip={t("openPage")} className={iconButtonClasses}>
      <Maximize2 size={16} aria-hidden />
    </Link>
  );
}

/** Moves the focus to the heading once it has its text, unless the user is writing, and again if a change of the content has removed the focused element. */
function useFocusOnHeading(heading: RefObject<HTMLElement | null>, isLoaded: boolean, isMissing: boolean): void {
  const hasFocused = useRef(false);
  useEffect(() => {
    if (!isLoaded) return;
    const { activeElement, body } = document;
    if (hasFocused.current ? activeElement === body : !usesLetterKeys(activeElement, NON_TEXT_INPUTS)) heading.current?.focus({ preventScroll: true });
    hasFocused.current = true;
  }, [heading, isLoaded, isMissing]);
}

interface ContentProps {
  info: FileInfoResponse;
  area: RefObject<HTMLElement | null>;
}

function Content({ info: latestInfo, area }: ContentProps) {
  const [search] = useSearchParams();
  const requestedVersion = parseVersion(search);
  const { info, version, newest, isMissing } = useShownVersion(latestInfo, requestedVersion);
  const selectVersion = useSelectVersion(newest);
  const [track] = useFileTrack(info);
  const [trackController, setTrackController] = useState<TrackController | null>(null);
  const hasComments = useHasFeature("comments");
  const { id, project_id } = info.common;
  const stage = (
    <>
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
      {track ? <Player info={info} track={track} onTrackController={setTrackController} /> : <NonAudioPage info={info} />}
    </>
  );
  if (!hasComments || info.file_info.object === "folder_info") return stage;
  return (
    <CommentsProvider fileId={id} projectId={project_id} version={version ?? 1} playback={trackController}>
      <CommentKey area={area} />
      {stage}
      <CommentsPanel area={area} />
    </CommentsProvider>
  );
}

/** M opens the composer, as on the file's page, while the pane has the focus. */
function CommentKey({ area }: Pick<ContentProps, "area">): null {
  const comments = useOptionalFileComments();
  useDocumentKeydown((event) => {
    if (!comments?.playback || !comments.canWrite || event.key.toLowerCase() !== "m" || !isShortcutAllowed(event) || !isInArea(event, area)) return;
    event.preventDefault();
    comments.compose();
  });
  return null;
}

interface PlayerProps {
  info: FileInfoResponse;
  track: Track;
  onTrackController(trackController: TrackController | null): void;
}

function Player({ info, track: given, onTrackController }: PlayerProps) {
  const detected = useDetectedDuration(given);
  const track = given.duration > 0 ? given : { ...given, duration: detected };
  const trackController = useTrackController(track);
  useEffect(() => {
    onTrackController(trackController);
    return () => onTrackController(null);
  }, [trackController, onTrackController]);
  const playback = useTrackControllerState(trackController);
  return (
    <div role="group" aria-label={t("player")} className="border-b border-line px-4 py-4">
      {track.isVideo && (
        <div className="flex aspect-video max-h-[46vh] flex-col">
          <VideoPlayer info={info} trackController={trackController} />
        </div>
      )}
      <div className="flex items-center gap-3">
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
    </div>
  );
}
