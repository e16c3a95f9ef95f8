import type { ReactNode } from "react";
import type { Attachment, FileStatus } from "../../../../contract/records.ts";
import type { Playback } from "../../../audio/player/use-player.ts";
import { attachmentToTrack } from "../../../components/attachment-track.ts";
import { Cover } from "../../../components/Cover.tsx";
import { UnsureMark } from "../../../components/UnsureMark.tsx";
import { formatBpm, formatKey, formatPosition, formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { attachmentStatus, isProcessing } from "../../../queries/files/file-updates.ts";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import {
  AttachedStatus,
  AttachmentPlayButton,
  AttachmentWaveform,
  DownloadLink,
  FileName,
  FileState,
  isProcessingOrFailed,
  ProcessingLabel,
  UNKNOWN_WAVE,
} from "./attachment-parts.tsx";
import { type AttachmentAudio, useAttachmentAudio } from "./use-attachment-audio.ts";

/** Plays an audio file within its message; the height never changes as more data arrives. */
export function AudioAttachment({ attachment, projectId }: { attachment: Attachment; projectId: number }) {
  const { name } = attachment;
  const { audio, needsInfo, playback } = useAttachmentAudio(attachment);
  // The waveform is available long before the streaming copy, so playback does not wait for that copy.
  const isPlayableWhileProcessing = isProcessing(attachment.transcoding_status) && audio.wave.length > 0;
  const hasWaveform = !isProcessingOrFailed(attachment) || isPlayableWhileProcessing;
  // A phone is too narrow for the status beside the name, so the status replaces tempo and key.
  const isCompact = useMediaQuery(PHONE) && hasWaveform;
  const status = attachmentStatus(attachment) ?? audio.status;
  const track = attachmentToTrack(attachment, audio, projectId);
  return (
    <div className="flex h-27 items-center gap-3 rounded-lg border border-line bg-wave-bg py-2.5 pr-3 pl-3">
      {track.coverUrl === undefined ? (
        <AttachmentPlayButton track={track} name={name} />
      ) : (
        <span className="relative shrink-0">
          <Cover url={track.coverUrl} className="size-20 max-tablet:size-16" />
          <span className="absolute inset-0 flex items-center justify-center">
            <AttachmentPlayButton track={track} name={name} isOnCover />
          </span>
        </span>
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex h-7 items-center gap-2">
          <FileName attachment={attachment} className="flex-1" />
          {!isCompact && <AttachedStatus status={status} />}
          <DownloadLink attachment={attachment} className="-mr-1.5" />
        </div>
        {!hasWaveform ? (
          <FileState attachment={attachment} className="h-13" />
        ) : (
          <>
            <AttachmentWaveform track={track} name={name} wave={needsInfo && audio.wave.length === 0 ? UNKNOWN_WAVE : audio.wave} />
            <Facts audio={audio} size={needsInfo ? attachment.size : 0} playback={playback} status={isCompact ? status : null}>
              {isPlayableWhileProcessing && <ProcessingLabel attachment={attachment} />}
            </Facts>
          </>
        )}
      </div>
    </div>
  );
}

interface FactsProps {
  audio: AttachmentAudio;
  /** Bytes, shown in place of an unknown duration; 0 to show nothing. */
  size: number;
  playback: Playback;
  status: FileStatus | null;
  children: ReactNode;
}

/** Shows the time on the left and the audio's facts on the right, or the playback error instead. */
function Facts({ audio, size, playback, status, children }: FactsProps) {
  if (playback.error) {
    return (
      <p role="alert" title={playback.error} className="h-4 truncate text-xs text-danger">
        {playback.error}
      </p>
    );
  }
  const facts = [audio.bpm > 0 ? t("bpm", { bpm: formatBpm(audio.bpm) }) : null, audio.key === null ? null : formatKey(audio.key)].filter(Boolean);
  const unsureKey = audio.key === null ? audio.unsure_key : undefined;
  const duration = formatPosition(audio.duration);
  return (
    <div className="tabular flex h-4 items-center justify-between gap-3 text-xs text-text-2">
      <span>
        {playback.isCurrent
          ? t("time", { position: formatPosition(playback.position), duration })
          : audio.duration > 0
            ? duration
            : size > 0
              ? formatSize(size)
              : null}
      </span>
      {children}
      {status ? (
        <AttachedStatus status={status} className="max-w-2/3" />
      ) : (
        <span className="truncate">
          {facts.join(" · ")}
          {unsureKey !== undefined && (
            <span className="text-text-3">
              {facts.length > 0 && " · "}
              {formatKey(unsureKey)}
              <UnsureMark />
            </span>
          )}
        </span>
      )}
    </div>
  );
}
