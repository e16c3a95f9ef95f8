import { Columns2, ZoomIn, ZoomOut } from "lucide-react";
import { useSyncExternalStore } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import type { Lane } from "../../model/lane.ts";
import { isInside, isWhole, leastSpan, spanOf } from "../../model/viewport.ts";

const STEP = 2;

interface Props {
  deck: Deck;
  lane: Lane;
  /** null: there is but one. */
  perChannel: boolean | null;
  onPerChannel(on: boolean): void;
}

/** Closer, further, and each channel by itself: for who has neither wheel nor two fingers. */
export function LaneTools({ deck, lane, perChannel, onPerChannel }: Props) {
  const view = useSyncExternalStore(lane.subscribe, lane.view);
  function zoom(factor: number) {
    const { position } = deck.state();
    lane.zoom(factor, isInside(view, position) ? position : (view.from + view.to) / 2);
  }
  const size = "size-6! rounded-sm";
  return (
    <div className="absolute top-px right-0.5 flex bg-wave-bg">
      {perChannel !== null && (
        <IconButton
          label={t("channelsApart")}
          aria-pressed={perChannel}
          onClick={() => onPerChannel(!perChannel)}
          className={perChannel ? `${size} text-accent-text!` : size}
        >
          <Columns2 size={14} aria-hidden className="rotate-90" />
        </IconButton>
      )}
      <IconButton label={t("zoomOut")} disabled={isWhole(view, lane.duration)} onClick={() => zoom(1 / STEP)} className={size}>
        <ZoomOut size={14} aria-hidden />
      </IconButton>
      <IconButton label={t("zoomIn")} disabled={spanOf(view) <= leastSpan(lane.duration, view.width) * 1.001} onClick={() => zoom(STEP)} className={size}>
        <ZoomIn size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
