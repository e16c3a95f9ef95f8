import { Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Attachment } from "../../../../contract/records.ts";
import { useExclusivePlayback } from "../../../audio/player/use-player.ts";
import { MediaImage, useMediaUrl } from "../../../components/MediaImage.tsx";
import { formatPosition } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { AttachedStatus, DownloadLink, FileName, FileState, isProcessingOrFailed } from "./attachment-parts.tsx";

/** Shows a still image that a press replaces with a player of the same size. */
export function VideoAttachment({ attachment }: { attachment: Attachment }) {
  const [isOpen, setIsOpen] = useState(false);
  const { duration = 0, thumbnail_url, stills_url } = attachment;
  const still = thumbnail_url ?? stills_url;
  return (
    <div>
      <div className="relative aspect-video overflow-hidden rounded-lg border border-line bg-wave-bg">
        {isProcessingOrFailed(attachment) ? (
          <FileState attachment={attachment} className="size-full px-4" />
        ) : isOpen ? (
          <VideoPlayer attachment={attachment} poster={still} />
        ) : (
          <button
            type="button"
            aria-label={t("playVideo", { name: attachment.name })}
            onClick={() => setIsOpen(true)}
            className="group/play block size-full focus-visible:-outline-offset-2"
          >
            <MediaImage url={still} alt="" decoding="async" className="size-full object-contain" />
            <span className="absolute top-1/2 left-1/2 flex size-14 -translate-1/2 items-center justify-center rounded-full bg-accent text-accent-ink group-hover/play:brightness-105">
              <Play size={24} aria-hidden className="ml-1" />
            </span>
            {duration > 0 && (
              <span className="tabular absolute right-2 bottom-2 rounded-sm bg-raised px-1.5 py-0.5 text-xs text-text">{formatPosition(duration)}</span>
            )}
          </button>
        )}
      </div>
      <div className="flex h-8 min-w-0 items-center gap-1 text-sm">
        <FileName attachment={attachment} className="flex-1" />
        <AttachedStatus status={attachment.status} />
        <DownloadLink attachment={attachment} />
      </div>
    </div>
  );
}

function VideoPlayer({ attachment, poster }: { attachment: Attachment; poster: string | undefined }) {
  const video = useRef<HTMLVideoElement>(null);
  const { src, isBroken, onError } = useMediaUrl(attachment.compressed_file_url ?? attachment.url);
  const { src: posterSrc } = useMediaUrl(poster);
  useExclusivePlayback(video);
  useEffect(() => {
    video.current?.focus();
  }, []);
  if (isBroken) {
    return (
      <p role="alert" className="flex size-full items-center justify-center px-6 text-center text-sm text-danger">
        {t("videoFailed")}
      </p>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- uploaded videos have no captions
    <video
      ref={video}
      aria-label={t("video", { name: attachment.name })}
      src={src}
      poster={posterSrc}
      controls
      autoPlay
      playsInline
      onPlay={({ currentTarget }) => {
        // Only one video plays at a time.
        for (const other of document.querySelectorAll("video")) if (other !== currentTarget) other.pause();
      }}
      onError={onError}
      className="size-full object-contain"
    />
  );
}
