import { Pause, Play, Repeat, RotateCcw, RotateCw, AudioWaveform } from "lucide-react";
import type { ReactNode } from "react";
import { useTrackControllerValue } from "../../../audio/player/track-controller.ts";
import { RateMenu } from "../../../components/RateMenu.tsx";
import { VolumeControl } from "../../../components/VolumeControl.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { formatTenths } from "../../../lib/format.ts";
import { getPersisted, setPersisted } from "../../../lib/local-storage.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { announce } from "../../../ui/announce.ts";
import { buttonClasses } from "../../../ui/Button.tsx";
import { CloseButton, IconButton } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import type { Original } from "../file-info.ts";
import { useClearLoop, usePlayerContext } from "./player-context.ts";
import { STEP_SECONDS } from "./use-transport-keys.ts";

/** Renders the playback controls, the position (`time`), loop, speed, volume, and additional controls. */
export function Transport({ time, children }: { time: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-18 flex-wrap items-center gap-x-2 gap-y-1 py-2.5">
      <PlaybackButtons />
      {time}
      <BufferingIndicator />
      <div className="ml-auto flex min-w-0 flex-wrap items-center gap-x-0.5 gap-y-1 max-tablet:ml-0 max-tablet:w-full max-tablet:justify-between">
        <LoopButton />
        <SpeedMenu />
        <VolumeControl />
        {children}
      </div>
      <PlaybackError />
    </div>
  );
}

function PlaybackButtons() {
  const { trackController } = usePlayerContext();
  const isPlaying = useTrackControllerValue(trackController, "isPlaying");
  const isBuffering = useTrackControllerValue(trackController, "isBuffering");
  const Icon = isPlaying ? Pause : Play;
  const seekBy = (seconds: number) => trackController.seek(trackController.state().position + seconds);
  return (
    <>
      <IconButton label={t("back5")} icon={RotateCcw} iconSize={20} className="size-10" onClick={() => seekBy(-STEP_SECONDS)} />
      <button
        type="button"
        aria-label={t(isPlaying ? "pause" : "play")}
        aria-busy={isBuffering || undefined}
        onClick={trackController.toggle}
        className={classNames(
          "flex size-11 items-center justify-center rounded-full bg-accent text-accent-ink hover:brightness-105",
          isBuffering && "animate-pulse",
        )}
      >
        <Icon size={20} aria-hidden className={isPlaying ? undefined : "ml-0.5"} />
      </button>
      <IconButton label={t("forward5")} icon={RotateCw} iconSize={20} className="size-10" onClick={() => seekBy(STEP_SECONDS)} />
    </>
  );
}

function BufferingIndicator() {
  const { trackController } = usePlayerContext();
  const isBuffering = useTrackControllerValue(trackController, "isBuffering");
  return isBuffering && <span className="text-sm text-text-2">{t("buffering")}</span>;
}

function PlaybackError() {
  const { trackController } = usePlayerContext();
  const error = useTrackControllerValue(trackController, "error");
  return (
    error && (
      <Notice title={t("unplayable")} className="w-full">
        {error}
      </Notice>
    )
  );
}

/** Toggles the loop, which covers the whole track if no range is set. */
function LoopButton() {
  const { trackController } = usePlayerContext();
  const clearLoop = useClearLoop();
  const loop = useTrackControllerValue(trackController, "loop");
  const isPartialLoop = loop !== null && (loop.from > 0 || loop.to < trackController.duration);
  const label = loop && isPartialLoop ? t("loopOf", { from: formatTenths(loop.from), to: formatTenths(loop.to) }) : t("loop");
  function toggle() {
    trackController.toggleLoop();
    const next = trackController.state().loop;
    announce(next?.on ? t("loopOn", { from: formatTenths(next.from), to: formatTenths(next.to) }) : t("loopOff"));
  }
  return (
    <span className="inline-flex items-center">
      <button type="button" aria-pressed={loop?.on ?? false} aria-label={label} data-tooltip={label} onClick={toggle} className={toolClasses(loop?.on)}>
        <Repeat size={16} aria-hidden />
        <span className="max-wide:sr-only">{t("loop")}</span>
      </button>
      {isPartialLoop && <CloseButton label={t("clearLoop")} className="size-7! max-tablet:size-10!" onClick={(event) => clearLoop(event.currentTarget)} />}
    </span>
  );
}

/** Selects the playback rate, which preserves the pitch. */
function SpeedMenu() {
  const { trackController } = usePlayerContext();
  const rate = useTrackControllerValue(trackController, "rate");
  return <RateMenu rate={rate} triggerClassName={toolClasses(rate !== 1)} onChange={trackController.setRate} />;
}

/** Styles a transport button, highlighted only when active and taller on phones. */
export const toolClasses = (isActive = false) => `${buttonClasses("ghost")} tabular px-2.5 max-tablet:h-10 ${isActive ? "text-accent-text!" : ""}`;

const STORAGE_KEY = "plays-original";

interface QualityMenuProps {
  /** The uploaded file, in contrast to its streaming copy. */
  original: Original;
  isOriginalSelected: boolean;
  onSelect(isOriginal: boolean): void;
}

/** Switches between the streaming copy and the original. Playback continues at the same position. */
export function QualityMenu({ original: { isLossless, type, isPlayable }, isOriginalSelected, onSelect }: QualityMenuProps) {
  const originalLabel = t(isLossless ? "lossless" : "original");
  const selectedLabel = isOriginalSelected ? originalLabel : t("compressed");
  return (
    <Menu
      label={t("quality", { what: selectedLabel })}
      trigger={
        <>
          <AudioWaveform size={16} aria-hidden />
          <span className="max-wide:sr-only">{isOriginalSelected ? originalLabel : t("compressed")}</span>
        </>
      }
      triggerClassName={toolClasses(isOriginalSelected)}
      align="end"
      checked={isOriginalSelected ? "original" : "compressed"}
    >
      <MenuItem id="compressed" text={t("compressed")} onSelect={() => onSelect(false)} />
      <MenuItem id="original" text={originalLabel} onSelect={() => onSelect(true)} disabledReason={isPlayable ? undefined : t("unplayableOriginal", { type })}>
        {originalLabel} <span className="text-text-2">{type}</span>
      </MenuItem>
    </Menu>
  );
}

/** Returns whether this browser plays originals instead of streaming copies. */
export const loadPrefersOriginal = (): boolean => getPersisted(STORAGE_KEY) === "yes";

export const savePrefersOriginal = (prefersOriginal: boolean): void => setPersisted(STORAGE_KEY, prefersOriginal ? "yes" : null);
