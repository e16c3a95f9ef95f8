import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { AudioFileInfo, FileInfoResponse } from "../../../../contract/records.ts";
import type { TrackController } from "../../../audio/deck.ts";
import { useTrackController } from "../../../audio/use-deck.ts";
import { useDetectedDuration } from "../../../audio/use-player.ts";
import type { Track } from "../../../audio/track.ts";
import { t } from "../../../lib/messages/review-player.ts";
import { isProcessing } from "../../../queries/files/state.ts";
import { formatSigned } from "../model/facts.ts";
import { bpmOf, loudnessOf, getOriginal, sampleRateOf, parsePosition } from "../model/info.ts";
import { canPlay } from "../model/quality.ts";
import type { Tempo } from "../model/ticks.ts";
import { loadOrigin, loadUnit, saveOrigin, saveUnit } from "../model/time-units.ts";
import type { Viewport } from "../model/viewport.ts";
import { VideoPlayer } from "./Film.tsx";
import { CopyLink } from "./transport/CopyLink.tsx";
import { QualityMenu } from "./transport/QualityMenu.tsx";
import { TimeDisplay } from "./transport/TimeDisplay.tsx";
import { Transport } from "./transport/Transport.tsx";
import { usePositionInUrl } from "./transport/use-position-address.ts";
import { useTransportKeys } from "./transport/use-transport-keys.ts";
import { useWaveformViewport } from "./use-lane.ts";
import { DetailWaveform } from "./waveform/DetailLane.tsx";
import { Overview } from "./waveform/Overview.tsx";
import { useSamples } from "./waveform/use-samples.ts";

export interface PlayerProps {
  info: FileInfoResponse;
  track: Track;
  /** Receives the track controller, and null on unmount. */
  onTrackController(trackController: TrackController | null): void;
  onOriginalChange(original: boolean): void;
  /** Renders content under the waveform on the same time axis, such as comments. */
  renderBelowWaveform?: ((view: Viewport, trackController: TrackController) => ReactNode) | undefined;
  /** Handles the comment key. */
  onComment?: ((trackController: TrackController) => void) | undefined;
}

/** Renders the waveform, video, and transport of an audio or video file. */
export function PlayerPage({ info, track: givenTrack, onTrackController, onOriginalChange, renderBelowWaveform, onComment }: PlayerProps) {
  const detectedDuration = useDetectedDuration(givenTrack);
  const track = givenTrack.duration > 0 ? givenTrack : { ...givenTrack, duration: detectedDuration };
  const trackController = useTrackController(track);
  useEffect(() => {
    onTrackController(trackController);
    return () => onTrackController(null);
  }, [trackController, onTrackController]);
  const startPosition = useStartPosition(trackController);
  const waveformViewport = useWaveformViewport(trackController, track.fileId, startPosition);
  const samples = useSamples(track);
  const updateUrl = usePositionInUrl(trackController);
  useTransportKeys(trackController, waveformViewport, onComment && (() => onComment(trackController)));

  const [unit, setUnit] = useState(loadUnit);
  const [perChannel, setPerChannel] = useState(false);
  const { tempo, setOrigin } = useTempo(info);
  const original = getOriginal(info, canPlay);
  const loudness = track.isVideo ? null : loudnessOf(info.file_info as AudioFileInfo).integrated;
  const processing = isProcessing(info.common.transcoding_status);
  const hasNoWaveform = samples.peaks.highs.length === 0 || !(track.duration > 0);
  return (
    <div className="px-4 pt-4 tablet:px-5">
      {track.isVideo && <VideoPlayer trackController={trackController} info={info} />}
      <Overview
        trackController={trackController}
        waveformViewport={waveformViewport}
        name={track.name}
        peaks={samples.peaks}
        hasFinePeaks={samples.hasFinePeaks}
      />
      <DetailWaveform
        trackController={trackController}
        waveformViewport={waveformViewport}
        samples={samples}
        tempo={tempo}
        showsBars={unit === "bars"}
        perChannel={perChannel}
        onPerChannelChange={setPerChannel}
        emptyMessage={hasNoWaveform && !track.isVideo ? t(processing ? "waveformPending" : "noWaveform") : null}
        isCompact={track.isVideo === true && hasNoWaveform}
        renderBelow={renderBelowWaveform}
      />
      <Transport
        trackController={trackController}
        time={
          <TimeDisplay
            trackController={trackController}
            scale={{ rate: sampleRateOf(info), tempo }}
            unit={unit}
            onUnitChange={(next) => {
              setUnit(next);
              saveUnit(next);
            }}
            onSetBarOne={() => setOrigin(trackController.state().position)}
          />
        }
      >
        {original && <QualityMenu original={original} isOriginalSelected={track.isOriginal ?? false} onSelect={onOriginalChange} />}
        <CopyLink trackController={trackController} updateUrl={updateUrl} />
        {loudness !== null && (
          <span title={t("loudnessHelp")} className="tabular pl-2 whitespace-nowrap text-text-2 max-desktop:hidden">
            {t("lufs", { value: formatSigned(loudness) })}
          </span>
        )}
      </Transport>
    </div>
  );
}

/** Seeks to `?t=` (seconds) before the first paint, and again for each link to a position on this page. */
function useStartPosition(trackController: TrackController): number | null {
  const [search] = useSearchParams();
  const { key, state } = useLocation();
  const startPosition = parsePosition(search);
  const keepPosition = (state as { keepPosition?: boolean } | null)?.keepPosition === true;
  const handledKey = useRef<string>(null);
  useLayoutEffect(() => {
    // A recreated track controller keeps the position of the previous one.
    if (handledKey.current === key) return;
    handledKey.current = key;
    // A URL that only records the position (`keepPosition`) seeks only after a reload.
    const isFirstLoad = !trackController.state().isCurrent && trackController.state().position === 0;
    if (startPosition !== null && (!keepPosition || isFirstLoad)) trackController.seek(startPosition);
  }, [trackController, startPosition, keepPosition, key]);
  return startPosition;
}

/** Returns the tempo with its bar 1 origin, or null if the tempo is unknown. */
function useTempo(info: FileInfoResponse): { tempo: Tempo | null; setOrigin(seconds: number): void } {
  const { id } = info.common;
  const bpm = bpmOf(info);
  const [origin, setOriginState] = useState(() => loadOrigin(id));
  const [tempo, setTempo] = useState<Tempo>({ bpm, origin });
  if (tempo.bpm !== bpm || tempo.origin !== origin) setTempo({ bpm, origin });
  return {
    tempo: bpm > 0 ? tempo : null,
    setOrigin(seconds) {
      setOriginState(seconds);
      saveOrigin(id, seconds);
    },
  };
}
