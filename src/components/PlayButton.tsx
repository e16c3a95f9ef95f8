import { Pause, Play } from "lucide-react";
import type { ComponentProps } from "react";
import type { Playback } from "../audio/player/use-player.ts";
import { classNames } from "../lib/class-names.ts";
import { t } from "../lib/texts/player.ts";

interface PlayButtonProps extends Omit<ComponentProps<"button">, "name"> {
  /** Name of the file that the button plays. */
  name: string;
  playback: Pick<Playback, "isPlaying" | "isBuffering">;
  iconSize?: number;
  /** True while nothing can be played; the button stays focusable. */
  isDisabled?: boolean;
  /** Size and colors. */
  className: string;
}

/** A round button that plays and pauses a file. */
export function PlayButton({ name, playback: { isPlaying, isBuffering }, iconSize = 18, isDisabled = false, className, onClick, ...rest }: PlayButtonProps) {
  const Icon = isPlaying ? Pause : Play;
  return (
    <button
      {...rest}
      type="button"
      aria-label={t(isPlaying ? "pause" : "play", { name })}
      aria-busy={isBuffering || undefined}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? undefined : onClick}
      className={classNames(
        "flex shrink-0 items-center justify-center rounded-full transition-colors",
        className,
        isDisabled && "opacity-50",
        isBuffering && "animate-pulse",
      )}
    >
      <Icon size={iconSize} aria-hidden className={isPlaying ? undefined : "ml-0.5"} />
    </button>
  );
}
