import { Pause, Play } from "lucide-react";
import type { Playback } from "../../audio/use-player.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/attachments.ts";

interface Props {
  /** What it plays. */
  name: string;
  playback: Playback;
  /** Nothing can be played yet. */
  off?: boolean;
  onToggle(): void;
}

/** Plays and pauses; lit while the player holds it. */
export function PlayButton({ name, playback, off = false, onToggle }: Props) {
  const Icon = playback.playing ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={t(playback.playing ? "pause" : "play", { name })}
      aria-busy={playback.waiting || undefined}
      aria-disabled={off || undefined}
      onClick={off ? undefined : onToggle}
      className={classes(
        "flex size-10 shrink-0 items-center justify-center rounded-full transition-colors",
        playback.current ? "bg-accent text-accent-ink hover:brightness-105" : "bg-raised text-text hover:bg-hover",
        off && "opacity-50",
        playback.waiting && "animate-pulse",
      )}
    >
      <Icon size={18} aria-hidden className={playback.playing ? undefined : "ml-0.5"} />
    </button>
  );
}
