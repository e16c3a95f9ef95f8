/** The layout of a file's page: its loading state, and its panels below the player. */
import { type ReactNode, useDeferredValue } from "react";
import type { FileInfoResponse } from "../../../contract/records.ts";
import type { Track } from "../../audio/player/track.ts";
import { useClient } from "../../client/client.ts";
import { canPlay } from "../../lib/browser.ts";
import { classNames } from "../../lib/class-names.ts";
import { usePersistedState } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/review.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { getOriginal, toTrack } from "./file-info.ts";
import { loadPrefersOriginal, savePrefersOriginal } from "./player/Transport.tsx";

/** Total border width of the waveform in CSS pixels. */
const BORDERS_PX = 2;

/** Returns the track of a file, or null if it has none, and the setter of whether it plays the original instead of the streaming copy. */
export function useFileTrack(info: FileInfoResponse): [Track | null, (prefersOriginal: boolean) => void] {
  const [prefersOriginal, setPrefersOriginal] = usePersistedState(loadPrefersOriginal, savePrefersOriginal);
  return [toTrack(info, prefersOriginal && getOriginal(info, canPlay)?.isPlayable), setPrefersOriginal];
}

interface FileLayoutProps {
  header: ReactNode;
  isAudio: boolean;
  isFolder: boolean;
  panels: ReactNode;
  /** The player, or what else shows the file, and notices above it. */
  children: ReactNode;
}

export function FileLayout({ header, isAudio, isFolder, panels, children }: FileLayoutProps) {
  // Panels below the waveform render after the first paint, so that they do not delay the waveform.
  const showPanels = useDeferredValue(true, false);
  return (
    <div className="flex h-full flex-col">
      {header}
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        {children}
        <div
          className={classNames(
            "flex-1 border-line",
            !isFolder && "border-t",
            isAudio && "desktop:grid desktop:grid-cols-[minmax(0,1fr)_22.5rem] desktop:grid-rows-[auto_1fr]",
          )}
        >
          {showPanels && panels}
        </div>
      </div>
    </div>
  );
}

/** Renders the loading state in the layout of the audio page. */
export function ReviewSkeleton() {
  const { waveformWidth } = useClient().viewMemory;
  return (
    <div role="status" aria-label={t("loading")} className="flex h-full flex-col">
      <div className="flex h-14 shrink-0 items-center gap-3 border-b border-line px-5">
        <Skeleton className="size-5" />
        <Skeleton className="h-4 w-48" />
        <Skeleton className="h-6 w-24 rounded-full" />
      </div>
      <div className="px-4 pt-4 tablet:px-5">
        <Skeleton className="h-12 rounded-lg tablet:h-14" />
        <div
          ref={(element) => {
            if (element) waveformWidth.set(element.clientWidth - BORDERS_PX);
          }}
          className="mt-2"
        >
          <Skeleton className="h-39.5 rounded-lg tablet:h-53.5" />
        </div>
        <div className="flex h-18 items-center gap-4">
          <Skeleton className="size-11 rounded-full" />
          <Skeleton className="h-5 w-36" />
        </div>
      </div>
    </div>
  );
}
