import { Columns2, ZoomIn, ZoomOut } from "lucide-react";
import { useSyncExternalStore } from "react";
import type { TrackController } from "../../../../audio/deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import type { WaveformViewport } from "../../model/lane.ts";
import { isInView, isFullView, minSpan, spanOf } from "../../model/viewport.ts";

const ZOOM_STEP = 2;

interface Props {
  trackController: TrackController;
  waveformViewport: WaveformViewport;
  /** null if the track has only one channel. */
  perChannel: boolean | null;
  onPerChannelChange(on: boolean): void;
}

/** Zoom and channel buttons, for users without a wheel or a touch screen. */
export function WaveformTools({ trackController, waveformViewport, perChannel, onPerChannelChange }: Props) {
  const view = useSyncExternalStore(waveformViewport.subscribe, waveformViewport.view);
  function zoom(factor: number) {
    const { position } = trackController.state();
    waveformViewport.zoom(factor, isInView(view, position) ? position : (view.from + view.to) / 2);
  }
  const sizeClass = "size-6! rounded-sm";
  return (
    <div className="absolute top-px right-0.5 flex bg-wave-bg">
      {perChannel !== null && (
        <IconButton
          label={t("separateChannels")}
          aria-pressed={perChannel}
          onClick={() => onPerChannelChange(!perChannel)}
          className={perChannel ? `${sizeClass} text-accent-text!` : sizeClass}
        >
          <Columns2 size={14} aria-hidden className="rotate-90" />
        </IconButton>
      )}
      <IconButton label={t("zoomOut")} disabled={isFullView(view, waveformViewport.duration)} onClick={() => zoom(1 / ZOOM_STEP)} className={sizeClass}>
        <ZoomOut size={14} aria-hidden />
      </IconButton>
      <IconButton
        label={t("zoomIn")}
        disabled={spanOf(view) <= minSpan(waveformViewport.duration, view.width) * 1.001}
        onClick={() => zoom(ZOOM_STEP)}
        className={sizeClass}
      >
        <ZoomIn size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
