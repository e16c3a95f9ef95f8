import { ListMusic, SkipBack, SkipForward } from "lucide-react";
import { Link, useMatch } from "react-router";
import type { Track } from "../../audio/player/player.ts";
import { hasNext } from "../../audio/player/queue.ts";
import { usePlayer, usePlayerValue, useQueue, useQueueValue } from "../../audio/player/use-player.ts";
import { normalizeWave } from "../../audio/recorder/levels.ts";
import { Cover } from "../../components/Cover.tsx";
import { MiniWaveform } from "../../components/MiniWaveform.tsx";
import { PlayButton } from "../../components/PlayButton.tsx";
import { RateMenu } from "../../components/RateMenu.tsx";
import { VoiceRateButton } from "../../components/VoiceRateButton.tsx";
import { VolumeControl } from "../../components/VolumeControl.tsx";
import { classNames } from "../../lib/class-names.ts";
import { formatPosition } from "../../lib/format.ts";
import { withRecordedPosition } from "../../lib/recorded-position.ts";
import { t } from "../../lib/texts/player.ts";
import { t as tQueue } from "../../lib/texts/queue.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { CloseButton, IconButton, iconButtonClasses } from "../../ui/IconButton.tsx";

/** Shows the player's track, except on the track's own page. */
export function MiniPlayer() {
  const track = usePlayerValue((state) => state.track);
  const fileMatch = useMatch("/files/:fileId");
  // A track without a page is shown only by the view that plays it.
  return track && track.pagePath !== null && Number(fileMatch?.params.fileId) !== track.fileId ? <Bar track={track} /> : null;
}

function Bar({ track }: { track: Track }) {
  const player = usePlayer();
  const { isPlaying, isBuffering, position, error, detectedDuration } = usePlayerValue((state) => state);
  const queue = useQueue();
  const queueState = useQueueValue((state) => state);
  const { name } = track;
  const duration = track.duration || detectedDuration;
  return (
    <section
      aria-label={t("miniPlayer")}
      className="relative flex h-14 shrink-0 items-center gap-3 border-t border-line bg-raised px-3 max-tablet:gap-2 tablet:px-4"
    >
      {/* On a phone, the buttons of a queue leave no space for the waveform. */}
      {queueState.queue && duration > 0 && (
        <span aria-hidden className="absolute inset-x-0 -top-0.5 h-0.5 tablet:hidden">
          <span className="block h-full bg-accent" style={{ width: `${(position / duration) * 100}%` }} />
        </span>
      )}
      <div className="flex shrink-0 items-center gap-1">
        {queueState.queue && <IconButton label={tQueue("previous")} icon={SkipBack} className="max-tablet:size-10" onClick={queue.previous} />}
        <PlayButton
          name={name}
          playback={{ isPlaying, isBuffering }}
          onClick={() => (queueState.queue ? queue.toggle() : player.toggle(track))}
          className="size-10 bg-accent text-accent-ink hover:brightness-105"
        />
        {queueState.queue && (
          <IconButton label={tQueue("next")} icon={SkipForward} disabled={!hasNext(queueState)} className="max-tablet:size-10" onClick={queue.next} />
        )}
      </div>
      {track.coverUrl !== undefined && <Cover url={track.coverUrl} className={classNames("size-10", queueState.queue && "max-tablet:hidden")} />}
      <div className="min-w-0 flex-1 tablet:max-w-64">
        <Link
          to={track.pagePath ?? `/files/${track.fileId}?t=${position.toFixed(1)}${track.version === null ? "" : `&v=${track.version}`}`}
          // Playback continues in this window; the position in the URL is only for opening the link in another window.
          state={withRecordedPosition(null)}
          aria-label={t("openFile", { name })}
          title={name}
          className="block truncate font-medium hover:underline"
        >
          {name}
        </Link>
        {error ? (
          <p role="alert" title={error} className="truncate text-xs text-danger">
            {error}
          </p>
        ) : (
          <p className="tabular truncate text-xs text-text-2">
            {formatPosition(position)} / {formatPosition(duration)}
            {queueState.queue && (
              <span className="max-tablet:hidden">
                {" · "}
                {tQueue("position", { position: queueState.index + 1, count: queueState.queue.entries.length, title: queueState.queue.title })}
              </span>
            )}
          </p>
        )}
      </div>
      <MiniWaveform
        wave={track.isVoice ? normalizeWave(track.wave) : track.wave}
        duration={duration}
        position={position}
        label={t("seek", { name })}
        onSeek={player.seek}
        className={classNames("shrink-0 tablet:w-auto tablet:flex-1", queueState.queue && "max-tablet:hidden", track.coverUrl === undefined ? "w-20" : "w-12")}
      />
      {queueState.queue && (
        <Link
          to={queueState.queue.path}
          aria-label={tQueue("open", { title: queueState.queue.title })}
          data-tooltip={tQueue("open", { title: queueState.queue.title })}
          className={`${iconButtonClasses} max-tablet:hidden`}
        >
          <ListMusic size={18} aria-hidden />
        </Link>
      )}
      <span className="flex max-tablet:hidden">
        <VolumeControl />
      </span>
      {track.isVoice ? <VoiceRateButton /> : <TrackRateMenu fileId={track.fileId} />}
      <CloseButton label={t("close")} onClick={player.stop} />
    </section>
  );
}

function TrackRateMenu({ fileId }: { fileId: number }) {
  const player = usePlayer();
  const rate = usePlayerValue(() => player.settingsFor(fileId).rate);
  return (
    <RateMenu
      rate={rate}
      triggerClassName={classNames(buttonClasses("ghost"), "tabular shrink-0 px-1.5! max-tablet:h-10", rate !== 1 && "text-accent-text!")}
      onChange={(next) => player.updateSettings(fileId, { rate: next })}
    />
  );
}
