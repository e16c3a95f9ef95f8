import { useLayoutEffect, useRef } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { FileInfoAnswer } from "../../../../contract/records.ts";
import type { Track } from "../../../audio/player.ts";
import { useDeck } from "../../../audio/use-deck.ts";
import { isUnderWay } from "../../../queries/files/state.ts";
import { useWidth } from "../../../ui/use-width.ts";
import type { Clock } from "../comments/clock.ts";
import { CommentLane } from "../comments/CommentLane.tsx";
import { whole } from "../model/viewport.ts";
import { startOf } from "../model/info.ts";
import { MainWaveform } from "./MainWaveform.tsx";
import { Transport } from "./Transport.tsx";
import { useTransportKeys } from "./use-transport-keys.ts";

/** A sound: its waveform, and what steers it. */
export function AudioPage({ info, track, onClock }: { info: FileInfoAnswer; track: Track; onClock(clock: Clock | null): void }) {
  const deck = useDeck(track);
  const [search] = useSearchParams();
  const { key, state } = useLocation();
  const underWay = isUnderWay(info.common.transcoding_status);
  const start = startOf(search);
  const keep = (state as { keepPosition?: boolean } | null)?.keepPosition === true;
  // Before the first picture, and again for each link that leads to a position here.
  useLayoutEffect(() => {
    if (start !== null && !keep) deck.seek(start);
  }, [deck, start, keep, key]);
  useTransportKeys(deck);
  useLayoutEffect(() => {
    onClock(deck);
    return () => onClock(null);
  }, [deck, onClock]);
  const lane = useRef<HTMLDivElement>(null);
  const width = useWidth(lane);
  return (
    <div className="px-4 pt-4 tablet:px-5">
      <MainWaveform key={`${track.version}:${track.duration}`} deck={deck} track={track} underWay={underWay} />
      <div ref={lane} className="mt-1 rounded-b-lg border border-line bg-wave-bg">
        <CommentLane view={whole(deck.duration, width)} />
      </div>
      <Transport deck={deck} fileId={track.fileId} />
    </div>
  );
}
