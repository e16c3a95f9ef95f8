import { useEffect, useMemo } from "react";
import { useClient } from "../../../client/client.ts";
import { createEmitter } from "../../../lib/store.ts";
import type { Track } from "../../../audio/player/track.ts";
import { createServiceTiles } from "../../../audio/waveform/peak-tiles.ts";
import { waveToPeaks, parsePeaks } from "../../../audio/waveform/peaks.ts";
import { usePeakLevels, usePeaks } from "../../../queries/files/use-file.ts";

/** Maximum number of peaks to request, because a drawing is never wider than the screen. */
const MAX_PIXELS = 8_192;
const screenPixels = () => Math.min(MAX_PIXELS, Math.ceil(screen.width * devicePixelRatio));

export type Samples = ReturnType<typeof useSamples>;

/**
 * Loads the peaks of a track: first `wave`, which is already loaded, then finer peaks and their tiles from the service. An empty `wave` means the service
 * has no peaks either, so none are requested. `isPainted`: false until `wave` is painted, which a request would delay.
 */
export function useSamples({ fileId, version, wave }: Track, isPainted: boolean) {
  const { api } = useClient();
  const requestedVersion = isPainted && wave.length > 0 ? version : null;
  const bytes = usePeaks(fileId, requestedVersion, screenPixels());
  const info = usePeakLevels(fileId, requestedVersion);
  const finePeaks = useMemo(() => (bytes ? parsePeaks(bytes) : null), [bytes]);
  const coarsePeaks = useMemo(() => waveToPeaks(wave), [wave]);
  const tiled = useMemo(() => {
    const { emit, subscribe } = createEmitter();
    const levels = info?.levels.map(({ samples_per_pixel: samplesPerPoint, length, url }) => ({ samplesPerPoint, length, url })) ?? [];
    const pyramid = {
      channels: info?.channels ?? 1,
      sampleRate: info?.sample_rate ?? 0,
      levels: levels.toSorted((a, b) => a.samplesPerPoint - b.samplesPerPoint),
    };
    return {
      tiles: levels.length > 0 && pyramid.sampleRate > 0 ? createServiceTiles(api, pyramid, emit) : null,
      channels: pyramid.channels,
      onChange: subscribe,
    };
  }, [api, info]);
  useEffect(() => () => tiled.tiles?.dispose(), [tiled]);
  return useMemo(() => ({ peaks: finePeaks ?? coarsePeaks, hasFinePeaks: finePeaks !== null, ...tiled }), [finePeaks, coarsePeaks, tiled]);
}
