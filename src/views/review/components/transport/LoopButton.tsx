import { Repeat, X } from "lucide-react";
import type { TrackController } from "../../../../audio/deck.ts";
import { useTrackControllerValue } from "../../../../audio/use-deck.ts";
import { formatTenths } from "../../../../lib/duration.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { announce } from "../../../../ui/announce.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { toolClasses } from "./tool.ts";

/** Toggles the loop, which covers the whole track if no range is set. */
export function LoopButton({ trackController }: { trackController: TrackController }) {
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
      <button type="button" aria-pressed={loop?.on ?? false} aria-label={label} title={label} onClick={toggle} className={toolClasses(loop?.on)}>
        <Repeat size={16} aria-hidden />
        <span className="max-desktop:sr-only">{loop && isPartialLoop ? `${formatTenths(loop.from)}–${formatTenths(loop.to)}` : t("loop")}</span>
      </button>
      {isPartialLoop && (
        <IconButton label={t("clearLoop")} className="size-7! max-tablet:size-10!" onClick={() => trackController.setLoop(null)}>
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </span>
  );
}
