/** Shows a recording with its waveform, whether sent, pending or draft; its height never changes. */
import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Track } from "../../../audio/player/player.ts";
import { usePlayback, usePlayer } from "../../../audio/player/use-player.ts";
import { normalizeWave } from "../../../audio/recorder/levels.ts";
import type { Recording } from "../../../audio/recorder/recording.ts";
import type { VoiceDraft } from "../../../audio/recorder/voice-drafts.ts";
import { useServiceTime, useClient } from "../../../client/client.ts";
import { classNames } from "../../../lib/class-names.ts";
import { formatPosition, formatAccessibleDuration } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/voice.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useObjectUrl } from "../../../ui/use-object-url.ts";
import { AttachmentPlayButton, AttachmentWaveform, UNKNOWN_WAVE } from "../message/attachment-parts.tsx";
import { createLocalTrack } from "../message/tracks.ts";
import { formatDraftStatus, formatEndReason } from "./recording-labels.ts";

interface Props {
  track: Track;
  isUnplayable?: boolean;
  /** Accessible name. */
  label: string;
  className?: string;
  /** Shown in place of the waveform. */
  placeholder?: ReactNode;
  children?: ReactNode;
}

export function VoiceCard({ track, isUnplayable = false, label, className, placeholder, children }: Props) {
  const playback = usePlayback(track.fileId);
  const { name, duration, wave } = track;
  return (
    <div
      role="group"
      aria-label={label}
      className={classNames("flex h-14 min-w-0 items-center gap-2.5 rounded-lg border border-line bg-wave-bg px-2.5", className)}
    >
      <AttachmentPlayButton track={track} name={name} isDisabled={isUnplayable} />
      {playback.error ? (
        <p role="alert" title={playback.error} className="line-clamp-2 min-w-0 flex-1 text-xs text-danger">
          {playback.error}
        </p>
      ) : (
        (placeholder ?? (
          <AttachmentWaveform
            track={track}
            name={name}
            wave={wave.length > 0 ? normalizeWave(wave) : UNKNOWN_WAVE}
            isDisabled={isUnplayable}
            className="flex-1"
          />
        ))
      )}
      <span className="tabular min-w-9 shrink-0 text-right text-xs text-text-2">
        {playback.isCurrent ? formatPosition(playback.position) : duration > 0 ? formatPosition(duration) : null}
      </span>
      {children}
    </div>
  );
}

/** Returns an object URL for bytes in memory while the component is mounted; playback from it stops on unmount. */
export function useAudioUrl(bytes: Blob | null): string | null {
  const player = usePlayer();
  return useObjectUrl(bytes, (url) => player.state().track?.src === url && player.stop());
}

interface DraftProps {
  draft: VoiceDraft;
  outcome: Recording["outcome"];
  onDiscard(): void;
}

export function VoiceDraftCard({ draft, outcome, onDiscard }: DraftProps) {
  const { id, seconds, wave } = draft.metadata;
  const { viewMemory } = useClient();
  const now = useServiceTime();
  const url = useAudioUrl(draft.bytes);
  const track = createLocalTrack(viewMemory, id, url ?? "", t("draftName"), { duration: seconds, wave });
  const endMessage = outcome && outcome.reason !== "short" && outcome.id === id ? formatEndReason(outcome.reason) : null;
  return (
    <div data-card={id} className="flex flex-col gap-1">
      <VoiceCard track={track} isUnplayable={url === null} label={t("draft", { duration: formatAccessibleDuration(seconds) })} className="bg-raised">
        <IconButton label={t("discard")} icon={Trash2} iconSize={17} className="max-tablet:size-9" onClick={onDiscard} />
      </VoiceCard>
      <p className="px-1.5 text-xs text-text-2">
        {formatDraftStatus(draft, now)}
        {endMessage !== null && <span className="block">{endMessage}</span>}
        {!draft.isPersisted && <span className="block text-danger">{t("notPersisted")}</span>}
      </p>
    </div>
  );
}
