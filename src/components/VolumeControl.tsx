import { Volume1, Volume2, VolumeX } from "lucide-react";
import { usePlayer, usePlayerValue } from "../audio/player/use-player.ts";
import { t } from "../lib/texts/player.ts";
import { IconButton } from "../ui/IconButton.tsx";

/** Volume below which the icon shows one wave. */
const LOW_VOLUME_LIMIT = 0.5;

/** Sets the volume of all playback. Phones have volume keys, so only the mute button appears there. */
export function VolumeControl() {
  const player = usePlayer();
  const { level, muted } = usePlayerValue(({ volume }) => volume);
  const isMuted = muted || level === 0;
  const Icon = isMuted ? VolumeX : level < LOW_VOLUME_LIMIT ? Volume1 : Volume2;
  return (
    <span className="inline-flex items-center">
      <IconButton
        label={t(isMuted ? "unmute" : "mute")}
        icon={Icon}
        className="max-tablet:size-10"
        onClick={() => player.setVolume(isMuted ? { level: level || 1, muted: false } : { level, muted: true })}
      />
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={isMuted ? 0 : level}
        aria-label={t("volume")}
        aria-valuetext={t("percent", { percent: Math.round((isMuted ? 0 : level) * 100) })}
        onChange={({ target }) => player.setVolume({ level: Number(target.value), muted: false })}
        className="h-6 w-20 cursor-pointer accent-accent max-tablet:hidden"
      />
    </span>
  );
}
