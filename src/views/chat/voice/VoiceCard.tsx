/** Shows a recording with its waveform, whether sent, pending or draft; its height never changes. */
import { type ReactNode, useEffect, useState } from "react";
import type { Track } from "../../../audio/player/player.ts";
import { usePlayback, usePlayer } from "../../../audio/player/use-player.ts";
import { normalizeWave } from "../../../audio/recorder/levels.ts";
import { MiniWaveform } from "../../../components/MiniWaveform.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { formatPosition } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/voice.ts";
import { AttachmentPlayButton } from "../message/attachment-parts.tsx";

/** Waveform while the loudness is unknown. */
const FLAT = [0];

interface Props {
  track: Track;
  /** True while the recording cannot be played. */
  isUnplayable?: boolean;
  /** Accessible name. */
  label: string;
  className?: string;
  /** Shown in place of the waveform. */
  placeholder?: ReactNode;
  children?: ReactNode;
}

export function VoiceCard({ track, isUnplayable = false, label, className, placeholder, children }: Props) {
  const player = usePlayer();
  const playback = usePlayback(track.fileId);
  const { name, duration, wave } = track;
  return (
    <div
      role="group"
      aria-label={label}
      className={classNames("flex h-14 min-w-0 items-center gap-2.5 rounded-lg border border-line bg-wave-bg px-2.5", className)}
    >
      <AttachmentPlayButton name={name} playback={playback} isDisabled={isUnplayable} onToggle={() => player.toggle(track)} />
      {playback.error ? (
        <p role="alert" title={playback.error} className="line-clamp-2 min-w-0 flex-1 text-xs text-danger">
          {playback.error}
        </p>
      ) : (
        (placeholder ?? (
          <MiniWaveform
            wave={wave.length > 0 ? normalizeWave(wave) : FLAT}
            duration={isUnplayable ? 0 : duration}
            position={playback.position}
            label={t("seekIn", { name })}
            onSeek={(seconds) => (playback.isCurrent ? player.seek(seconds) : player.play(track, seconds))}
            height={32}
            className="flex-1"
          />
        ))
      )}
      <span className="tabular min-w-9 shrink-0 text-right text-xs text-text-2">
        {playback.isCurrent ? formatPosition(playback.position) : duration > 0 ? formatPosition(duration) : null}
      </span>
      {children}
    </div>
  );
}

/** Returns an object URL for bytes in memory while the component is mounted; playback from it stops on unmount. */
export function useAudioUrl(bytes: Blob | null): string | null {
  const player = usePlayer();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!bytes) return;
    const objectUrl = URL.createObjectURL(bytes);
    setUrl(objectUrl);
    return () => {
      if (player.state().track?.src === objectUrl) player.stop();
      URL.revokeObjectURL(objectUrl);
      setUrl(null);
    };
  }, [player, bytes]);
  return url;
}
