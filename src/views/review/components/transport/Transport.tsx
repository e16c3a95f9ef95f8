import { Pause, Play, RotateCcw, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import type { TrackController } from "../../../../audio/deck.ts";
import { useTrackControllerValue } from "../../../../audio/use-deck.ts";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { Notice } from "../../../../ui/Notice.tsx";
import { LoopButton } from "./LoopButton.tsx";
import { SpeedMenu } from "./SpeedMenu.tsx";
import { VolumeControl } from "./VolumeControl.tsx";

const STEP_SECONDS = 5;

interface Props {
  trackController: TrackController;
  /** The position display. */
  time: ReactNode;
  /** Additional controls and information. */
  children: ReactNode;
}

/** Renders the playback controls, position, loop, speed, and volume. */
export function Transport({ trackController, time, children }: Props) {
  return (
    <div className="flex min-h-18 flex-wrap items-center gap-x-2 gap-y-1 py-2.5">
      <PlaybackButtons trackController={trackController} />
      {time}
      <BufferingIndicator trackController={trackController} />
      <div className="ml-auto flex min-w-0 flex-wrap items-center gap-x-0.5 gap-y-1 max-tablet:ml-0 max-tablet:w-full max-tablet:justify-between">
        <LoopButton trackController={trackController} />
        <SpeedMenu trackController={trackController} />
        <VolumeControl />
        {children}
      </div>
      <PlaybackError trackController={trackController} />
    </div>
  );
}

function PlaybackButtons({ trackController }: { trackController: TrackController }) {
  const playing = useTrackControllerValue(trackController, "playing");
  const buffering = useTrackControllerValue(trackController, "buffering");
  const Icon = playing ? Pause : Play;
  const seekBy = (seconds: number) => trackController.seek(trackController.state().position + seconds);
  return (
    <>
      <IconButton label={t("back5")} className="size-10" onClick={() => seekBy(-STEP_SECONDS)}>
        <RotateCcw size={20} aria-hidden />
      </IconButton>
      <button
        type="button"
        aria-label={t(playing ? "pause" : "play")}
        aria-busy={buffering || undefined}
        onClick={trackController.toggle}
        className={classes(
          "flex size-11 items-center justify-center rounded-full bg-accent text-accent-ink hover:brightness-105",
          buffering && "animate-pulse",
        )}
      >
        <Icon size={20} aria-hidden className={playing ? undefined : "ml-0.5"} />
      </button>
      <IconButton label={t("forward5")} className="size-10" onClick={() => seekBy(STEP_SECONDS)}>
        <RotateCw size={20} aria-hidden />
      </IconButton>
    </>
  );
}

function BufferingIndicator({ trackController }: { trackController: TrackController }) {
  const buffering = useTrackControllerValue(trackController, "buffering");
  return buffering && <span className="text-sm text-text-2">{t("buffering")}</span>;
}

function PlaybackError({ trackController }: { trackController: TrackController }) {
  const error = useTrackControllerValue(trackController, "error");
  return (
    error && (
      <Notice title={t("unplayable")} className="w-full">
        {error}
      </Notice>
    )
  );
}
