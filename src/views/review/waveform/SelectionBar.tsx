import { MessageSquarePlus, Play, Repeat } from "lucide-react";
import { useRef } from "react";
import type { Loop } from "../../../audio/player/loop.ts";
import { useTrackControllerValue } from "../../../audio/player/track-controller.ts";
import { classNames } from "../../../lib/class-names.ts";
import { formatTenths } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { buttonClasses } from "../../../ui/Button.tsx";
import { CloseButton, IconButton } from "../../../ui/IconButton.tsx";
import { isOverlayOpen, isShortcutAllowed, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";
import { useClearLoop, usePlayerContext, useVisibleRange } from "../player/player-context.ts";
import { isSelectionVisible, toX, type VisibleRange } from "./viewport.ts";

/** Largest width of the bar in CSS pixels, so that it stays inside the waveform. */
const BAR_WIDTH_PX = 344;

interface Props {
  /** Whether the bar is a row below the waveform, which is too low for a bar on it. */
  isBelow: boolean;
  /** Starts a comment on the selected part. */
  onComment?: ((from: number, to: number) => void) | undefined;
}

/** Offers what can be done with the selected part while it is in view. */
export function SelectionBar(props: Props) {
  const { trackController } = usePlayerContext();
  const view = useVisibleRange();
  const loop = useTrackControllerValue(trackController, "loop");
  if (!loop || !isSelectionVisible(view, loop, trackController.duration)) return null;
  return <Bar {...props} loop={loop} view={view} />;
}

function Bar({ isBelow, onComment, loop: { from, to, on }, view }: Props & { loop: Loop; view: VisibleRange }) {
  const { trackController } = usePlayerContext();
  const bar = useRef<HTMLDivElement>(null);
  const clearLoop = useClearLoop();
  useDocumentKeydown((event) => {
    if (event.key !== "Escape" || isOverlayOpen() || !isShortcutAllowed(event)) return;
    event.preventDefault();
    clearLoop(bar.current);
  });
  const center = toX(view, (Math.max(from, view.from) + Math.min(to, view.to)) / 2);
  const half = Math.min(BAR_WIDTH_PX, view.width) / 2;
  const toggleLoop = () => {
    trackController.toggleLoop();
    const { position } = trackController.state();
    // A position outside the loop would never come back to it.
    if (!on && (position < from || position >= to)) trackController.seek(from);
  };
  const play = () => {
    trackController.seek(from);
    trackController.play();
  };
  const [fromText, toText] = [formatTenths(from), formatTenths(to)];
  return (
    <div
      ref={bar}
      role="group"
      aria-label={t("selection", { from: fromText, to: toText })}
      className={classNames(
        "flex items-center gap-0.5 text-sm whitespace-nowrap",
        isBelow
          ? "flex-wrap justify-center border-t border-line px-2"
          : "absolute bottom-1.5 z-4 -translate-x-1/2 rounded-md border border-line-strong bg-raised p-0.5 pl-2 shadow-float",
      )}
      style={isBelow ? undefined : { left: Math.max(half, Math.min(center, view.width - half)) }}
    >
      <span
        data-testid="selection-times"
        className={classNames("tabular mr-0.5 font-semibold", isBelow && "max-[359.98px]:w-full max-[359.98px]:pt-1.5 max-[359.98px]:text-center")}
      >
        {fromText}–{toText}
      </span>
      <IconButton label={t("playSelection")} icon={Play} iconSize={14} onClick={play} className="size-8! pointer-coarse:size-10!" />
      <button type="button" aria-pressed={on} onClick={toggleLoop} className={`${TOOL_CLASS} ${on ? "text-accent-text!" : ""}`}>
        <Repeat size={14} aria-hidden className="max-tablet:hidden" />
        {t("loop")}
      </button>
      {onComment && (
        <button type="button" onClick={() => onComment(from, to)} className={TOOL_CLASS}>
          <MessageSquarePlus size={14} aria-hidden className="max-tablet:hidden" />
          {t("comment")}
        </button>
      )}
      <CloseButton label={t("clearSelection")} className="size-8! pointer-coarse:size-10!" onClick={() => clearLoop(bar.current)} />
    </div>
  );
}

const TOOL_CLASS = `${buttonClasses("ghost", "sm")} px-2 pointer-coarse:h-10`;
