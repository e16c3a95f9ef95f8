import { AudioLines, Link2 } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { AudioFileInfo, FileInfoResponse } from "../../../../contract/records.ts";
import type { Loop } from "../../../audio/player/loop.ts";
import { type TrackController, useTrackController } from "../../../audio/player/track-controller.ts";
import type { Track } from "../../../audio/player/track.ts";
import { useDetectedDuration } from "../../../audio/player/use-player.ts";
import { useClient } from "../../../client/client.ts";
import { classNames } from "../../../lib/class-names.ts";
import { canPlay, copyToClipboard } from "../../../lib/browser.ts";
import { hasRecordedPosition } from "../../../lib/recorded-position.ts";
import { getPersisted, setPersisted, usePersistedState } from "../../../lib/local-storage.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { isProcessing } from "../../../queries/files/file-updates.ts";
import { announce } from "../../../ui/announce.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { formatSigned, type LoudnessWarning, warningsOf } from "../facts/audio-facts.ts";
import { WarningsChip } from "../facts/WarningsChip.tsx";
import { bpmOf, getOriginal, loudnessOf, parsePosition, sampleRateOf } from "../file-info.ts";
import { DetailWaveform } from "../waveform/DetailWaveform.tsx";
import { Overview } from "../waveform/Overview.tsx";
import { useSamples } from "../waveform/use-samples.ts";
import { isSelectionVisible, useViewportStore } from "../waveform/viewport.ts";
import { PlayerContext, usePlayerContext } from "./player-context.ts";
import { loadOrigin, loadUnit, saveOrigin, saveUnit } from "./position.ts";
import { TimeDisplay } from "./TimeDisplay.tsx";
import { QualityMenu, toolClasses, Transport } from "./Transport.tsx";
import { MarkersSkeleton, OverviewSkeleton, TransportSkeleton } from "./PlayerSkeleton.tsx";
import { usePositionInUrl } from "./use-position-in-url.ts";
import { useTransportKeys } from "./use-transport-keys.ts";
import { VideoPlayer } from "./VideoPlayer.tsx";

const NO_WARNINGS: readonly LoudnessWarning[] = [];

const VIDEO_WAVEFORM_KEY = "video-waveform";
const loadShowsVideoWaveform = (): boolean => getPersisted(VIDEO_WAVEFORM_KEY) === "yes";
const saveShowsVideoWaveform = (isShown: boolean): void => setPersisted(VIDEO_WAVEFORM_KEY, isShown ? "yes" : null);

export interface PlayerProps {
  info: FileInfoResponse;
  track: Track;
  /** False until the waveform is painted, which all other parts would delay. */
  isPainted?: boolean;
  /** Receives the track controller, and null on unmount. */
  onTrackController(trackController: TrackController | null): void;
  onOriginalChange(isOriginal: boolean): void;
  /** Starts a comment on the visible selection in seconds, if there is one. */
  onComment?: ((selection: Loop | null) => void) | undefined;
  /** Starts a comment on a range in seconds. */
  onCommentRange?: ((from: number, to: number) => void) | undefined;
  /** Content under the overview on its time axis. */
  ticks?: ReactNode;
  /** Content under the waveform on the same time axis, such as comments. */
  children?: ReactNode;
}

export function PlayerPage({
  info,
  track: givenTrack,
  isPainted = true,
  onTrackController,
  onOriginalChange,
  onComment,
  onCommentRange,
  ticks,
  children,
}: PlayerProps) {
  const detectedDuration = useDetectedDuration(givenTrack);
  const track = givenTrack.duration > 0 ? givenTrack : { ...givenTrack, duration: detectedDuration };
  const trackController = useTrackController(track);
  useEffect(() => {
    if (!isPainted) return;
    onTrackController(trackController);
    return () => onTrackController(null);
  }, [isPainted, trackController, onTrackController]);
  const startPosition = useStartPosition(trackController);
  const viewport = useViewportStore(trackController, track.fileId, startPosition);
  const slider = useRef<HTMLDivElement>(null);
  const samples = useSamples(track, isPainted);
  const updateUrl = usePositionInUrl(trackController);

  const [unit, setUnit] = usePersistedState(loadUnit, saveUnit);
  const { tempo, setOrigin } = useTempo(info);
  const original = getOriginal(info, canPlay);
  const loudness = track.isVideo ? null : loudnessOf(info.file_info as AudioFileInfo).integrated;
  const warnings = useMemo(() => (info.file_info.object === "audio_file_info" ? (warningsOf(info.file_info) ?? NO_WARNINGS) : NO_WARNINGS), [info.file_info]);
  const [showsWaveform, setShowsWaveform] = usePersistedState(loadShowsVideoWaveform, saveShowsVideoWaveform);
  const hasDetailWaveform = !track.isVideo || showsWaveform;
  const comment = () => {
    const { loop } = trackController.state();
    onComment?.(loop && hasDetailWaveform && isSelectionVisible(viewport.view(), loop, trackController.duration) ? loop : null);
  };
  useTransportKeys(trackController, viewport, onComment && comment);
  const isBeingProcessed = isProcessing(info.common.transcoding_status);
  const hasNoWaveform = samples.peaks.highs.length === 0 || !(track.duration > 0);
  return (
    <PlayerContext value={{ trackController, viewport, slider }}>
      <div className={classNames("px-4 pt-4 tablet:px-5", track.isVideo && "beside:flex beside:flex-1 beside:flex-col")}>
        {track.isVideo && <VideoPlayer info={info} trackController={trackController} />}
        {isPainted ? (
          <Overview name={track.name} samples={samples}>
            {ticks}
          </Overview>
        ) : (
          <OverviewSkeleton />
        )}
        {hasDetailWaveform && (
          <DetailWaveform
            samples={samples}
            tempo={tempo}
            showsBars={unit === "bars"}
            emptyMessage={hasNoWaveform && !track.isVideo ? t(isBeingProcessed ? "waveformPending" : "noWaveform") : null}
            isCompact={track.isVideo === true && hasNoWaveform}
            warnings={warnings}
            onCommentRange={onCommentRange}
          >
            {isPainted ? children : <MarkersSkeleton />}
          </DetailWaveform>
        )}
        {isPainted ? (
          <Transport
            time={
              <TimeDisplay
                unitInputs={{ sampleRate: sampleRateOf(info), tempo }}
                unit={unit}
                onUnitChange={setUnit}
                onSetBarOne={() => setOrigin(trackController.state().position)}
              />
            }
          >
            {track.isVideo && <WaveformToggle isOpen={showsWaveform} onToggle={() => setShowsWaveform(!showsWaveform)} />}
            {original && <QualityMenu original={original} isOriginalSelected={track.isOriginal ?? false} onSelect={onOriginalChange} />}
            <CopyLink updateUrl={updateUrl} />
            {loudness !== null && (
              <span title={t("loudnessHelp")} className="tabular pl-2 whitespace-nowrap text-text-2 max-desktop:hidden">
                {t("lufs", { value: formatSigned(loudness) })}
              </span>
            )}
            <WarningsChip warnings={warnings} />
          </Transport>
        ) : (
          <TransportSkeleton />
        )}
      </div>
    </PlayerContext>
  );
}

/** Seeks to `?t=` (seconds) before the first paint, and again for each link to a position on this page. */
function useStartPosition(trackController: TrackController): number | null {
  const [search] = useSearchParams();
  const { key, state } = useLocation();
  const startPosition = parsePosition(search);
  const isPositionRecorded = hasRecordedPosition(state);
  const handledKey = useRef<string>(null);
  useLayoutEffect(() => {
    // A recreated track controller keeps the position of the previous one.
    if (handledKey.current === key) return;
    const isFirstLoad = handledKey.current === null && !trackController.state().isCurrent;
    handledKey.current = key;
    if (startPosition !== null && (!isPositionRecorded || isFirstLoad)) trackController.seek(startPosition);
  }, [trackController, startPosition, isPositionRecorded, key]);
  return startPosition;
}

/** Returns the tempo with its bar 1 origin, or null if the tempo is unknown. */
function useTempo(info: FileInfoResponse) {
  const bpm = bpmOf(info);
  const { serviceStorage } = useClient();
  const [origin, setOrigin] = usePersistedState(
    () => loadOrigin(serviceStorage, info.common.id),
    (seconds) => saveOrigin(serviceStorage, info.common.id, seconds),
  );
  return { tempo: useMemo(() => (bpm > 0 ? { bpm, origin } : null), [bpm, origin]), setOrigin };
}

/** Opens the detail waveform of a video, which is closed at first to leave its height to the picture. */
function WaveformToggle({ isOpen, onToggle }: { isOpen: boolean; onToggle(): void }) {
  return (
    <button type="button" aria-expanded={isOpen} data-tooltip={t("waveform")} onClick={onToggle} className={toolClasses(isOpen)}>
      <AudioLines size={16} aria-hidden />
      <span className="max-wide:sr-only">{t("waveform")}</span>
    </button>
  );
}

/** Writes the position to the URL and, if the browser allows it, to the clipboard. `updateUrl` returns the new URL path. */
function CopyLink({ updateUrl }: { updateUrl(position: number): string }) {
  const { trackController } = usePlayerContext();
  async function copy() {
    const path = updateUrl(trackController.state().position);
    const isCopied = await copyToClipboard(location.origin + path);
    // If copying fails, the address bar still shows the link.
    announce(t(isCopied ? "copied" : "copyFromAddressBar"));
  }
  return <IconButton label={t("copyLink")} icon={Link2} className="max-tablet:size-10" onClick={() => void copy()} />;
}
