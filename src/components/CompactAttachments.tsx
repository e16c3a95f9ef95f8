/** The files that were sent with a comment, each in a row: a picture, a play button or an icon, its name and what is known of it. */
import { CircleAlert, Download, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Attachment } from "../../contract/records.ts";
import { usePlayback, usePlayer } from "../audio/player/use-player.ts";
import { classNames } from "../lib/class-names.ts";
import { formatPosition, formatSize } from "../lib/format.ts";
import { t } from "../lib/texts/attachments.ts";
import { useProcessingPercent } from "../queries/files/cache-updates.ts";
import { hasFailed, isDeleted, isProcessing } from "../queries/files/file-updates.ts";
import { iconButtonClasses } from "../ui/IconButton.tsx";
import { attachmentToTrack } from "./attachment-track.ts";
import { DownloadAnchor } from "./DownloadAnchor.tsx";
import { FileKindIcon, kindOf } from "./file-kind.tsx";
import { filePath } from "./file-link.ts";
import { MiniWaveform } from "./MiniWaveform.tsx";
import { PlayButton } from "./PlayButton.tsx";
import { Thumbnail } from "./Thumbnail.tsx";

export function CompactAttachments({ attachments, projectId }: { attachments: readonly Attachment[]; projectId: number }) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label={t("list", { count: attachments.length })} className="mt-1.5 mb-1 flex max-w-120 flex-col gap-1.5">
      {attachments.map((attachment) => (
        <li key={`${attachment.id} ${attachment.version}`}>
          {isDeleted(attachment) ? <DeletedRow name={attachment.name} /> : <FileRow attachment={attachment} projectId={projectId} />}
        </li>
      ))}
    </ul>
  );
}

const ROW_CLASS = "flex h-12 items-center gap-2.5 rounded-md border px-1.5";

function DeletedRow({ name }: { name: string }) {
  return (
    <div className={classNames(ROW_CLASS, "border-dashed border-line-strong pl-3 text-sm text-text-2")}>
      <Trash2 size={16} aria-hidden className="shrink-0" />
      <bdi className="truncate">{t("deleted", { name })}</bdi>
    </div>
  );
}

function FileRow({ attachment, projectId }: { attachment: Attachment; projectId: number }) {
  const { id, name, url, version = 1 } = attachment;
  const kind = kindOf(attachment);
  const isAudio = kind === "audio" && (attachment.audio?.duration ?? 0) > 0;
  return (
    <div className={classNames(ROW_CLASS, "border-line bg-wave-bg")}>
      {isAudio ? (
        <AudioStart attachment={attachment} projectId={projectId} />
      ) : (
        <span className="flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-sm bg-hover">
          <Thumbnail url={attachment.thumbnail ?? attachment.thumbnail_url} fallback={<FileKindIcon entry={{ kind, name, is_folder: false }} size={18} />} />
        </span>
      )}
      <span className="min-w-0 flex-1">
        <Link to={filePath(id, version > 1 ? { version } : {})} title={name} className="block truncate rounded-sm font-medium hover:underline">
          <bdi>{name}</bdi>
        </Link>
        <Facts attachment={attachment} />
      </span>
      {isAudio && <AudioWave attachment={attachment} projectId={projectId} />}
      {url !== "" && (
        <DownloadAnchor url={url} fileName={name} aria-label={t("download", { name })} data-tooltip={t("download", { name })} className={iconButtonClasses}>
          <Download size={16} aria-hidden />
        </DownloadAnchor>
      )}
    </div>
  );
}

/** Shows duration or size, or that the file is still being processed or could not be. */
function Facts({ attachment }: { attachment: Attachment }) {
  const { id, version = 1, size, audio, transcoding_status: state } = attachment;
  const { isCurrent, position, error } = usePlayback(id);
  const percent = useProcessingPercent(id, version);
  const facts = (): ReactNode => {
    if (isCurrent && error) return <span className="text-danger">{error}</span>;
    if (hasFailed(state))
      return (
        <span className="flex items-center gap-1 text-danger">
          <CircleAlert size={13} aria-hidden className="shrink-0" />
          <span className="truncate">{attachment.failure || t("failed")}</span>
        </span>
      );
    if (audio && audio.duration > 0) {
      const duration = formatPosition(audio.duration);
      return isCurrent ? t("time", { position: formatPosition(position), duration }) : duration;
    }
    if (isProcessing(state)) return percent === undefined ? t(state === "waiting" ? "waiting" : "transcoding") : t("transcodingPercent", { percent });
    return formatSize(size);
  };
  return <span className="tabular block truncate text-xs text-text-2">{facts()}</span>;
}

interface AudioProps {
  attachment: Attachment;
  projectId: number;
}

const trackOf = ({ attachment, projectId }: AudioProps) => attachmentToTrack(attachment, attachment.audio ?? { duration: 0, wave: [] }, projectId);

function AudioStart(props: AudioProps) {
  const player = usePlayer();
  const { id, name } = props.attachment;
  const playback = usePlayback(id);
  return (
    <PlayButton
      name={name}
      playback={playback}
      iconSize={16}
      onClick={() => player.toggle(trackOf(props))}
      className={classNames("size-9", playback.isCurrent ? "bg-accent text-accent-ink hover:brightness-105" : "bg-raised text-text hover:bg-hover")}
    />
  );
}

function AudioWave(props: AudioProps) {
  const player = usePlayer();
  const { id, name } = props.attachment;
  const { isCurrent, position } = usePlayback(id);
  const track = trackOf(props);
  return (
    <span className="w-28 shrink-0 max-tablet:hidden">
      <MiniWaveform
        wave={track.wave}
        duration={track.duration}
        position={position}
        label={t("seekIn", { name })}
        onSeek={(seconds) => (isCurrent ? player.seek(seconds) : player.play(track, seconds))}
        height={24}
      />
    </span>
  );
}
