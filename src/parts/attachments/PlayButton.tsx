import { Pause, Play } from "lucide-react";
import type { Playback } from "../../audio/use-player.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/attachments.ts";

interface Props {
  /** Name of the file that it plays. */
  name: string;
  playback: Playback;
  /** True while nothing can be played. */
  disabled?: boolean;
  onToggle(): void;
}

/** Plays and pauses; highlighted while the player holds the file. */
export function PlayButton({ name, playback, disabled = false, onToggle }: Props) {
  const Icon = playback.playing ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={t(playback.playing ? "pause" : "play", { name })}
      aria-busy={playback.buffering || undefined}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onToggle}
      className={classes(
        "flex size-10 shrink-0 items-center justify-center rounded-full transition-colors",
        playback.isCurrent ? "bg-accent text-accent-ink hover:brightness-105" : "bg-raised text-text hover:bg-hover",
        disabled && "opacity-50",
        playback.buffering && "animate-pulse",
      )}
    >
      <Icon size={18} aria-hidden className={playback.playing ? undefined : "ml-0.5"} />
    </button>
  );
}
