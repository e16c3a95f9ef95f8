import { useLayoutEffect } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { AudioFileInfo, FileInfoAnswer } from "../../../../contract/records.ts";
import type { Track } from "../../../audio/player.ts";
import { useDeck } from "../../../audio/use-deck.ts";
import { isUnderWay } from "../../../queries/files/state.ts";
import { startOf } from "../model/info.ts";
import { AudioFacts } from "./AudioFacts.tsx";
import { MainWaveform } from "./MainWaveform.tsx";
import { TagsPanel } from "./TagsPanel.tsx";
import { TasksPanel } from "./TasksPanel.tsx";
import { Transport } from "./Transport.tsx";
import { useTransportKeys } from "./use-transport-keys.ts";

/** The page of a sound: its waveform, what steers it, what is known of it. */
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
    <div className="flex flex-1 flex-col">
      <div className="px-4 pt-4 tablet:px-5">
        <MainWaveform key={`${track.version}:${track.duration}`} deck={deck} track={track} underWay={underWay} />
        <Transport deck={deck} fileId={track.fileId} />
      </div>
      <div className="flex-1 border-t border-line desktop:grid desktop:grid-cols-[minmax(0,1fr)_22.5rem] desktop:grid-rows-[auto_1fr]">
        <TasksPanel common={info.common} className="border-b border-line" />
        <TagsPanel info={info} underWay={underWay} />
        <AudioFacts common={info.common} info={info.file_info as AudioFileInfo} />
      </div>
    </div>
  );
}
