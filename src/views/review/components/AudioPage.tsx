import { useLayoutEffect } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { FileInfoAnswer } from "../../../../contract/records.ts";
import type { Track } from "../../../audio/player.ts";
import { useDeck } from "../../../audio/use-deck.ts";
import { isUnderWay } from "../../../queries/files/state.ts";
import { startOf } from "../model/info.ts";
import { MainWaveform } from "./MainWaveform.tsx";
import { Transport } from "./Transport.tsx";
import { useTransportKeys } from "./use-transport-keys.ts";

/** A sound: its waveform, and what steers it. */
export function AudioPage({ info, track }: { info: FileInfoAnswer; track: Track }) {
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
  return (
    <div className="px-4 pt-4 tablet:px-5">
      <MainWaveform key={`${track.version}:${track.duration}`} deck={deck} track={track} underWay={underWay} />
      <Transport deck={deck} fileId={track.fileId} />
    </div>
  );
}
