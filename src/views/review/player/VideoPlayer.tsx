import { Maximize, Play } from "lucide-react";
import { type CSSProperties, useEffect, useLayoutEffect, useRef } from "react";
import type { FileInfoResponse } from "../../../../contract/records.ts";
import { usePlayer } from "../../../audio/player/use-player.ts";
import { type TrackController, useTrackControllerValue } from "../../../audio/player/track-controller.ts";
import { useMediaUrl } from "../../../components/MediaImage.tsx";
import { t } from "../../../lib/texts/review-player.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { imageUrlOf } from "../file-info.ts";

/** Beside comments, the picture fills whatever height the controls leave. */
const PICTURE_CLASS = "size-full object-contain beside:absolute beside:inset-0";

/** Shows the player's own video element while this track is the current one. A click toggles playback. */
export function VideoPlayer({ info: { common, file_info }, trackController }: { info: FileInfoResponse; trackController: TrackController }) {
  const container = useRef<HTMLDivElement>(null);
  const player = usePlayer();
  const isCurrent = useTrackControllerValue(trackController, "isCurrent");
  const { width, height } = file_info as { width?: number; height?: number };
  const { src: poster, isBroken, onError } = useMediaUrl(imageUrlOf(file_info, "thumbnail_url") ?? imageUrlOf(file_info, "stills_url"));

  const latestController = useRef(trackController);
  useEffect(() => {
    latestController.current = trackController;
    trackController.cue();
  }, [trackController]);
  useEffect(() => () => void latestController.current.detach(), []);
  useLayoutEffect(() => {
    const video = isCurrent ? (player.videoElement() as HTMLVideoElement | null) : null;
    if (!video) return;
    video.className = PICTURE_CLASS;
    video.ariaLabel = t("videoOf", { file: common.name });
    if (poster) video.poster = poster;
    container.current!.prepend(video);
    return () => {
      video.removeAttribute("poster");
      // A browser pauses a video outside the document, so it plays on in an invisible place after its page closes.
      document.getElementById("hidden-media")!.append(video);
    };
  }, [player, isCurrent, common.name, poster]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the transport's buttons and keys do the same
    <div
      ref={container}
      onClick={trackController.toggle}
      style={{ "--ratio": width && height ? `${width} / ${height}` : "16 / 9" } as CSSProperties}
      className="relative mx-auto mb-2 aspect-(--ratio) max-h-[46vh] max-w-full cursor-pointer overflow-hidden rounded-lg bg-wave-bg beside:mx-0 beside:aspect-auto beside:max-h-none beside:min-h-40 beside:flex-1"
    >
      {!isCurrent && poster && !isBroken && (
        <img src={poster} alt={t("videoOf", { file: common.name })} decoding="async" onError={onError} className={PICTURE_CLASS} />
      )}
      <PlayOverlay trackController={trackController} />
      <IconButton
        label={t("fullScreen")}
        icon={Maximize}
        className="absolute right-2 bottom-2 bg-raised/80"
        onClick={(event) => {
          event.stopPropagation();
          void container.current!.requestFullscreen?.().catch(() => {});
        }}
      />
    </div>
  );
}

/** Shows a decorative play icon before playback starts. The transport has the accessible button. */
function PlayOverlay({ trackController }: { trackController: TrackController }) {
  const isPlaying = useTrackControllerValue(trackController, "isPlaying");
  const position = useTrackControllerValue(trackController, "position");
  if (isPlaying || position > 0) return null;
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute top-1/2 left-1/2 flex size-14 -translate-1/2 items-center justify-center rounded-full bg-accent text-accent-ink"
    >
      <Play size={24} className="ml-1" />
    </span>
  );
}
