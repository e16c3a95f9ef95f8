import { useEffect, useMemo, useRef } from "react";
import type { TrackController } from "../../../audio/deck.ts";
import { createWaveformViewport, type WaveformViewport } from "../model/lane.ts";
import { getWaveformWidth } from "../model/lane-width.ts";
import { createView, spanOf } from "../model/viewport.ts";

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

/**
 * Creates the waveform viewport of a track controller. The viewport follows playback, and another version of the same
 * file keeps the visible range.
 */
export function useWaveformViewport(trackController: TrackController, fileId: number, start: number | null): WaveformViewport {
  const previousRef = useRef<{ waveformViewport: WaveformViewport; fileId: number } | null>(null);
  const waveformViewport = useMemo(() => {
    const { position } = trackController.state();
    const created = createWaveformViewport(trackController.duration, position > 0 ? position : (start ?? 0), getWaveformWidth());
    const was = previousRef.current;
    if (was?.fileId === fileId && was.waveformViewport.duration > 0) {
      const view = was.waveformViewport.view();
      created.setView(createView(view.from, spanOf(view), trackController.duration, view.width));
    }
    return created;
    // oxlint-disable-next-line react/exhaustive-deps -- where it opens is decided once
  }, [trackController, fileId]);
  useEffect(() => {
    previousRef.current = { waveformViewport, fileId };
  }, [waveformViewport, fileId]);
  useEffect(() => {
    let lastPosition = trackController.state().position;
    return trackController.subscribe(() => {
      const { position } = trackController.state();
      if (position === lastPosition) return;
      waveformViewport.follow(lastPosition, position, matchMedia(REDUCED_MOTION).matches);
      lastPosition = position;
    });
  }, [trackController, waveformViewport]);
  return waveformViewport;
}
