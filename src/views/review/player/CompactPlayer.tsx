import { Pause, Play } from "lucide-react";
import { type TrackController, useTrackControllerState } from "../../../audio/player/track-controller.ts";
import type { Track } from "../../../audio/player/track.ts";
import { MiniWaveform } from "../../../components/MiniWaveform.tsx";
import { formatTenths } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-player.ts";

/** Play, a small waveform and the time in one line, for a page whose player is scrolled out of view. */
export function CompactPlayer({ track: { name, wave }, trackController }: { track: Track; trackController: TrackController }) {
  const { isPlaying, position } = useTrackControllerState(trackController);
  const Icon = isPlaying ? Pause : Play;
  return (
    <div role="group" aria-label={t("compactPlayer", { file: name })} className="flex h-13 items-center gap-3 px-3 tablet:px-5">
      <button
        type="button"
        aria-label={t(isPlaying ? "pauseFile" : "playFile", { file: name })}
        onClick={trackController.toggle}
        className="flex size-10 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink hover:brightness-105"
      >
        <Icon size={18} aria-hidden className={isPlaying ? undefined : "ml-0.5"} />
      </button>
      <MiniWaveform
        wave={wave}
        duration={trackController.duration}
        position={position}
        label={t("compactPosition")}
        onSeek={trackController.seek}
        height={32}
        className="flex-1"
      />
      <span className="tabular text-sm font-semibold">{formatTenths(position)}</span>
    </div>
  );
}
