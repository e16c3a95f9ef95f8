import { Download, Pause, Play } from "lucide-react";
import { useMemo, useState } from "react";
import type { Attachment } from "../../../../contract/records.ts";
import type { PlayQueue } from "../../../audio/player/queue.ts";
import type { Track } from "../../../audio/player/track.ts";
import { usePlayer, usePlayerValue, useQueue, useQueueValue } from "../../../audio/player/use-player.ts";
import { attachmentToTrack } from "../../../components/attachment-track.ts";
import { DownloadAnchor } from "../../../components/DownloadAnchor.tsx";
import { MiniWaveform } from "../../../components/MiniWaveform.tsx";
import { PlayButton } from "../../../components/PlayButton.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { formatPosition } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { attachmentStatus, isProcessing } from "../../../queries/files/file-updates.ts";
import { useArchiveUrl } from "../../../queries/files/use-file.ts";
import { Button } from "../../../ui/Button.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { useChat } from "../chat-context.ts";
import { AttachedStatus, DownloadLink, FileName, FileState, isProcessingOrFailed, UNKNOWN_WAVE } from "./attachment-parts.tsx";
import { UNKNOWN_AUDIO, useAttachmentAudio } from "./use-attachment-audio.ts";

/** More rows than this are folded. */
const MAX_ROWS = 8;

interface AudioListProps {
  attachments: readonly Attachment[];
  projectId: number;
  messageId: number;
  authorName: string;
}

/** Shows several audio files of one message, such as stems, as compact rows that can play one after the other. */
export function AudioList({ attachments, projectId, messageId, authorName }: AudioListProps) {
  const { expandedMessages } = useChat();
  const foldKey = `audio:${messageId}`;
  const [isExpanded, setIsExpanded] = useState(() => expandedMessages.has(foldKey));
  const isFolded = !isExpanded && attachments.length > MAX_ROWS + 1;
  const playback = useListPlayback(useMemo(() => toQueue(attachments, projectId, messageId, authorName), [attachments, projectId, messageId, authorName]));
  const archiveUrl = useArchiveUrl(attachments, t("archiveName", { name: authorName }));
  const seconds = attachments.reduce((sum, { audio }) => sum + (audio?.duration ?? 0), 0);
  const Icon = playback.isPlaying ? Pause : Play;
  const toggleRows = () => {
    if (isExpanded) expandedMessages.delete(foldKey);
    else expandedMessages.add(foldKey);
    setIsExpanded(!isExpanded);
  };
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-wave-bg">
      <div className="flex h-11 items-center gap-2 border-b border-line pr-1.5 pl-2">
        <Button size="sm" onClick={playback.toggleAll}>
          <Icon size={14} aria-hidden fill="currentColor" />
          {t(playback.isPlaying ? "pauseAll" : playback.isCurrent ? "resumeAll" : "playAll")}
        </Button>
        <span className="tabular min-w-0 flex-1 truncate px-1 text-sm text-text-2">
          {t("audioFiles", { count: attachments.length })}
          {seconds > 0 && ` · ${formatPosition(seconds)}`}
        </span>
        {archiveUrl !== null && (
          <DownloadAnchor url={archiveUrl} fileName="" aria-label={t("downloadAll")} data-tooltip={t("downloadAll")} className={iconButtonClasses}>
            <Download size={16} aria-hidden />
          </DownloadAnchor>
        )}
      </div>
      <ul className="py-1">
        {attachments.slice(0, isFolded ? MAX_ROWS : undefined).map((attachment) => (
          <AudioRow key={attachment.id} attachment={attachment} projectId={projectId} onToggle={playback.toggleRow} onSeek={playback.seek} />
        ))}
      </ul>
      {attachments.length > MAX_ROWS + 1 && (
        <button
          type="button"
          aria-expanded={isExpanded}
          onClick={toggleRows}
          className="h-9 w-full border-t border-line text-sm text-text-2 hover:bg-hover hover:text-text focus-visible:-outline-offset-2"
        >
          {isExpanded ? t("showLess") : t("showAll", { count: attachments.length })}
        </button>
      )}
    </div>
  );
}

/** The waveform is available long before the streaming copy, so playback does not wait for that copy. */
const isPlayable = (attachment: Attachment): boolean =>
  !isProcessingOrFailed(attachment) || (isProcessing(attachment.transcoding_status) && (attachment.audio?.wave.length ?? 0) > 0);

function toQueue(attachments: readonly Attachment[], projectId: number, messageId: number, authorName: string): PlayQueue {
  const entries = attachments
    .filter(isPlayable)
    .map((attachment) => ({ id: attachment.id, track: attachmentToTrack(attachment, attachment.audio ?? UNKNOWN_AUDIO, projectId) }));
  const path = `/projects/${projectId}/chat/${messageId}`;
  return { key: `message:${messageId}`, title: t("messageOf", { name: authorName }), path, gapMs: 0, entries };
}

/** Plays a message's files one after the other, also from any of them on. */
function useListPlayback(playQueue: PlayQueue) {
  const player = usePlayer();
  const queue = useQueue();
  const currentId = useQueueValue((state) => (state.queue?.key === playQueue.key ? (state.current?.id ?? null) : null));
  const isPlayerPlaying = usePlayerValue((state) => state.isPlaying);
  const isCurrent = currentId !== null;
  function playFrom({ fileId }: Track, seconds: number) {
    const index = playQueue.entries.findIndex(({ id }) => id === fileId);
    if (index >= 0) queue.play(playQueue, index, seconds);
  }
  return {
    isCurrent,
    isPlaying: isCurrent && isPlayerPlaying,
    toggleAll: () => (isCurrent ? queue.toggle() : queue.play(playQueue, 0)),
    toggleRow(track: Track) {
      if (track.fileId === currentId) queue.toggle();
      else if (player.state().track?.fileId === track.fileId) player.toggle(track);
      else playFrom(track, 0);
    },
    seek(track: Track, seconds: number) {
      if (player.state().track?.fileId === track.fileId) player.seek(seconds);
      else playFrom(track, seconds);
    },
  };
}

interface AudioRowProps {
  attachment: Attachment;
  projectId: number;
  onToggle(track: Track): void;
  onSeek(track: Track, seconds: number): void;
}

function AudioRow({ attachment, projectId, onToggle, onSeek }: AudioRowProps) {
  const { name } = attachment;
  const { audio, playback } = useAttachmentAudio(attachment);
  const { isCurrent, position } = playback;
  const track = attachmentToTrack(attachment, audio, projectId);
  const canPlay = isPlayable(attachment);
  return (
    <li className="group/row flex h-11 items-center gap-2.5 pr-1.5 pl-2 hover:bg-hover/50">
      <PlayButton
        name={name}
        playback={playback}
        iconSize={15}
        isDisabled={!canPlay}
        onClick={() => onToggle(track)}
        className={classNames("size-8", isCurrent ? "bg-accent text-accent-ink hover:brightness-105" : "bg-raised text-text hover:bg-hover")}
      />
      <FileName attachment={attachment} className="flex-1 basis-24 text-sm" />
      {playback.error ? (
        <p role="alert" title={playback.error} className="min-w-0 flex-1 truncate text-xs text-danger">
          {playback.error}
        </p>
      ) : canPlay ? (
        <MiniWaveform
          wave={audio.wave.length > 0 ? audio.wave : UNKNOWN_WAVE}
          duration={audio.duration}
          position={position}
          label={t("seekIn", { name })}
          onSeek={(seconds) => onSeek(track, seconds)}
          height={24}
          className="min-w-12 flex-1 basis-24 max-tablet:hidden"
        />
      ) : (
        <FileState attachment={attachment} className="max-h-10 min-w-0 flex-1 basis-32" />
      )}
      <AttachedStatus status={attachmentStatus(attachment) ?? audio.status} className="max-w-28 shrink-0 max-tablet:max-w-20" />
      <span className="tabular min-w-9 shrink-0 text-right text-xs text-text-2">
        {isCurrent ? formatPosition(position) : audio.duration > 0 ? formatPosition(audio.duration) : null}
      </span>
      <DownloadLink attachment={attachment} className="max-tablet:hidden" />
    </li>
  );
}
