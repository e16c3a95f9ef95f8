import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { AudioFileInfo, FileInfoAnswer } from "../../../../contract/records.ts";
import type { Deck } from "../../../audio/deck.ts";
import { useDeck } from "../../../audio/use-deck.ts";
import { useLearnedLength } from "../../../audio/use-player.ts";
import type { Track } from "../../../audio/track.ts";
import { t } from "../../../lib/messages/review-player.ts";
import { isUnderWay } from "../../../queries/files/state.ts";
import { signed } from "../model/facts.ts";
import { bpmOf, loudnessOf, originalOf, sampleRateOf, startOf } from "../model/info.ts";
import { canPlay } from "../model/quality.ts";
import type { Tempo } from "../model/ticks.ts";
import { recallOrigin, recallUnit, rememberOrigin, rememberUnit } from "../model/time-units.ts";
import type { Viewport } from "../model/viewport.ts";
import { Film } from "./Film.tsx";
import { CopyLink } from "./transport/CopyLink.tsx";
import { QualityMenu } from "./transport/QualityMenu.tsx";
import { TimeDisplay } from "./transport/TimeDisplay.tsx";
import { Transport } from "./transport/Transport.tsx";
import { usePositionAddress } from "./transport/use-position-address.ts";
import { useTransportKeys } from "./transport/use-transport-keys.ts";
import { useLane } from "./use-lane.ts";
import { DetailLane } from "./waveform/DetailLane.tsx";
import { Overview } from "./waveform/Overview.tsx";
import { useSamples } from "./waveform/use-samples.ts";

export interface PlayerProps {
  info: FileInfoAnswer;
  track: Track;
  /** Tells what steers it; null when it is gone. */
  onDeck(deck: Deck | null): void;
  onOriginal(original: boolean): void;
  /** What stands under the lane, on the same seconds: comments. */
  underLane?: ((view: Viewport, deck: Deck) => ReactNode) | undefined;
  /** The key of comments. */
  onComment?: ((deck: Deck) => void) | undefined;
}

/** A sound or a film: what is seen of it, and what steers it. */
export function PlayerPage({ info, track: told, onDeck, onOriginal, underLane, onComment }: PlayerProps) {
  const learned = useLearnedLength(told);
  const track = told.duration > 0 ? told : { ...told, duration: learned };
  const deck = useDeck(track);
  useEffect(() => {
    onDeck(deck);
    return () => onDeck(null);
  }, [deck, onDeck]);
  const start = useStart(deck);
  const lane = useLane(deck, track.fileId, start);
  const samples = useSamples(track);
  const show = usePositionAddress(deck);
  useTransportKeys(deck, lane, onComment && (() => onComment(deck)));

  const [unit, setUnit] = useState(recallUnit);
  const [perChannel, setPerChannel] = useState(false);
  const { tempo, setOrigin } = useTempo(info);
  const original = originalOf(info, canPlay);
  const loudness = track.film ? null : loudnessOf(info.file_info as AudioFileInfo).integrated;
  const underWay = isUnderWay(info.common.transcoding_status);
  const unseen = samples.whole.highs.length === 0 || !(track.duration > 0);
  return (
    <div className="px-4 pt-4 tablet:px-5">
      {track.film && <Film deck={deck} info={info} />}
      <Overview deck={deck} lane={lane} name={track.name} peaks={samples.whole} fine={samples.fine} />
      <DetailLane
        deck={deck}
        lane={lane}
        samples={samples}
        tempo={tempo}
        inBars={unit === "bars"}
        perChannel={perChannel}
        onPerChannel={setPerChannel}
        empty={unseen && !track.film ? t(underWay ? "waveLater" : "noWave") : null}
        low={track.film === true && unseen}
        under={underLane}
      />
      <Transport
        deck={deck}
        time={
          <TimeDisplay
            deck={deck}
            scale={{ rate: sampleRateOf(info), tempo }}
            unit={unit}
            onUnit={(next) => {
              setUnit(next);
              rememberUnit(next);
            }}
            onBarOne={() => setOrigin(deck.state().position)}
          />
        }
      >
        {original && <QualityMenu original={original} chosen={track.original ?? false} onChoose={onOriginal} />}
        <CopyLink deck={deck} onShow={show} />
        {loudness !== null && (
          <span title={t("loudnessHelp")} className="tabular pl-2 whitespace-nowrap text-text-2 max-desktop:hidden">
            {t("lufs", { value: signed(loudness) })}
          </span>
        )}
      </Transport>
    </div>
  );
}

/** `?t=` in seconds: sought before the first picture, and again for each link that leads to a position here. */
function useStart(deck: Deck): number | null {
  const [search] = useSearchParams();
  const { key, state } = useLocation();
  const start = startOf(search);
  const keep = (state as { keepPosition?: boolean } | null)?.keepPosition === true;
  const obeyed = useRef<string>(null);
  useLayoutEffect(() => {
    // A deck that is made anew stands where the one before stood.
    if (obeyed.current === key) return;
    obeyed.current = key;
    // An address that only tells where the sound stands is an order again after a reload.
    const fresh = !deck.state().current && deck.state().position === 0;
    if (start !== null && (!keep || fresh)) deck.seek(start);
  }, [deck, start, keep, key]);
  return start;
}

/** Where the beats lie; null where the tempo is not known. */
function useTempo(info: FileInfoAnswer): { tempo: Tempo | null; setOrigin(at: number): void } {
  const { id } = info.common;
  const bpm = bpmOf(info);
  const [origin, keep] = useState(() => recallOrigin(id));
  const [tempo, setTempo] = useState<Tempo>({ bpm, origin });
  if (tempo.bpm !== bpm || tempo.origin !== origin) setTempo({ bpm, origin });
  return {
    tempo: bpm > 0 ? tempo : null,
    setOrigin(at) {
      keep(at);
      rememberOrigin(id, at);
    },
  };
}
