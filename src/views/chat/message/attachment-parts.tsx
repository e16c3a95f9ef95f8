/** Parts that the cards of attachments and voice notes share: name, status, download, processing state and play button. */
import { CircleAlert, Download } from "lucide-react";
import { Link } from "react-router";
import type { Attachment, FileStatus } from "../../../../contract/records.ts";
import type { Track } from "../../../audio/player/track.ts";
import { usePlayback, usePlayer } from "../../../audio/player/use-player.ts";
import { useFileLink } from "../../../components/file-link.ts";
import { DownloadAnchor } from "../../../components/DownloadAnchor.tsx";
import { MiniWaveform } from "../../../components/MiniWaveform.tsx";
import { PlayButton } from "../../../components/PlayButton.tsx";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useProcessingPercent } from "../../../queries/files/cache-updates.ts";
import { hasFailed, isProcessing } from "../../../queries/files/file-updates.ts";
import { useRetryProcessing } from "../../../queries/files/use-file.ts";
import { useCan } from "../../../queries/permissions.ts";
import { Button } from "../../../ui/Button.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";

interface PartProps {
  attachment: Attachment;
  className?: string;
}

/** Shows the name as a link to the file's page, if the service sent an id, with version and flags. */
export function FileName({ attachment, className }: PartProps) {
  const { id, name, version = 1 } = attachment;
  const linkOf = useFileLink();
  return (
    <span className={classNames("flex min-w-0 items-center gap-2", className)}>
      {id > 0 ? (
        <Link to={linkOf(id, version > 1 ? { version } : {})} title={name} className="min-w-0 truncate rounded-sm font-semibold hover:underline">
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi title={name} className="min-w-0 truncate font-semibold">
          {name}
        </bdi>
      )}
      {version > 1 && <Chip>{t("version", { version: String(version) })}</Chip>}
      {attachment.is_shared && <Chip>{t("shared")}</Chip>}
      {attachment.is_blind_drop && <Chip>{t("blindDrop")}</Chip>}
      {attachment.has_unread_comments && (
        <span role="img" aria-label={t("unreadComments")} title={t("unreadComments")} className="size-2 shrink-0 rounded-full bg-accent" />
      )}
    </span>
  );
}

/** Shows the file's status beside its name, or nothing without one. */
export function AttachedStatus({ status, className = "max-w-1/2 shrink-0" }: { status: FileStatus | null | undefined; className?: string }) {
  if (!status) return null;
  return (
    <span className={classNames("flex", className)}>
      <StatusBadge status={status} />
    </span>
  );
}

function Chip({ children }: { children: string }) {
  return <span className="shrink-0 rounded-sm bg-raised px-1.5 py-0.5 text-xs text-text-2">{children}</span>;
}

export function DownloadLink({ attachment: { name, url }, className }: PartProps) {
  if (url === "") return null;
  return (
    <DownloadAnchor
      url={url}
      fileName={name}
      aria-label={t("download", { name })}
      data-tooltip={t("download", { name })}
      className={classNames(iconButtonClasses, className)}
    >
      <Download size={16} aria-hidden />
    </DownloadAnchor>
  );
}

export const isProcessingOrFailed = ({ transcoding_status }: Attachment): boolean => isProcessing(transcoding_status) || hasFailed(transcoding_status);

/** Shows the processing state of a file in at most two lines, or nothing once it is done. */
export function FileState({ attachment, className }: PartProps) {
  if (hasFailed(attachment.transcoding_status)) return <ProcessingFailed attachment={attachment} className={className ?? ""} />;
  return isProcessing(attachment.transcoding_status) ? <ProcessingProgress attachment={attachment} className={className ?? ""} /> : null;
}

function useProcessingState({ id, version = 1, transcoding_status }: Attachment): { percent: number | undefined; text: string } {
  const percent = useProcessingPercent(id, version);
  const text = percent === undefined ? t(transcoding_status === "waiting" ? "waiting" : "transcoding") : t("transcodingPercent", { percent });
  return { percent, text };
}

/** Shows the processing state in a few words, for files that can already be played. */
export function ProcessingLabel({ attachment }: { attachment: Attachment }) {
  return <span className="shrink-0">{useProcessingState(attachment).text}</span>;
}

function ProcessingProgress({ attachment, className }: Required<PartProps>) {
  const { percent, text } = useProcessingState(attachment);
  return (
    <div className={classNames("flex min-w-0 flex-col justify-center gap-1.5", className)}>
      <span className="tabular text-sm text-text-2">{text}</span>
      <span
        role="progressbar"
        aria-label={t("transcodingName", { name: attachment.name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="block h-1 overflow-hidden rounded-full bg-line-strong"
      >
        <span className="block h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent ?? 0}%` }} />
      </span>
    </div>
  );
}

function ProcessingFailed({ attachment, className }: Required<PartProps>) {
  const canProcess = useCan("file.process");
  const { mutate, isPending, error } = useRetryProcessing();
  const reason = attachment.failure || t("failed");
  const text = error ? t("runAgainFailed", { reason: describeError(error).title }) : reason;
  return (
    <div className={classNames("flex min-w-0 items-center gap-2", className)}>
      <CircleAlert size={16} aria-hidden className="shrink-0 text-danger" />
      <p title={text} className="line-clamp-2 min-w-0 flex-1 text-sm wrap-anywhere text-danger max-tablet:line-clamp-3 max-tablet:text-xs">
        {text}
      </p>
      {canProcess && (
        <Button size="sm" pending={isPending} onClick={() => mutate(attachment.id)}>
          {t("runAgain")}
        </Button>
      )}
    </div>
  );
}

/** Drawn as a flat line while the loudness is unknown. */
export const UNKNOWN_WAVE: readonly number[] = [0];

interface TrackProps {
  track: Track;
  /** Name of the file that the track plays. */
  name: string;
  isDisabled?: boolean;
}

/** Plays and pauses a track; highlighted while it is the player's current one. */
export function AttachmentPlayButton({ track, name, isDisabled = false, isOnCover = false }: TrackProps & { isOnCover?: boolean }) {
  const player = usePlayer();
  const playback = usePlayback(track.fileId);
  return (
    <PlayButton
      name={name}
      playback={playback}
      isDisabled={isDisabled}
      onClick={() => player.toggle(track)}
      className={classNames(
        isOnCover ? "size-9 after:absolute after:-inset-3" : "size-10",
        playback.isCurrent
          ? "bg-accent text-accent-ink hover:brightness-105"
          : classNames("text-text", isOnCover ? "bg-raised/85 hover:bg-raised" : "bg-raised hover:bg-hover"),
      )}
    />
  );
}

/** Shows a track's waveform, which seeks, and begins to play the track if another one is current. */
export function AttachmentWaveform({ track, name, isDisabled = false, ...rest }: TrackProps & { wave?: readonly number[]; className?: string }) {
  const player = usePlayer();
  const { isCurrent, position } = usePlayback(track.fileId);
  return (
    <MiniWaveform
      wave={track.wave}
      duration={isDisabled ? 0 : track.duration}
      position={position}
      label={t("seekIn", { name })}
      onSeek={(seconds) => (isCurrent ? player.seek(seconds) : player.play(track, seconds))}
      height={32}
      {...rest}
    />
  );
}
