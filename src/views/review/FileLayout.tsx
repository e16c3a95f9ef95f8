/** The layout of a file's page: its loading state, and its player with the panels below or beside it. */
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useRef, useState } from "react";
import type { FileInfoResponse } from "../../../contract/records.ts";
import type { Track } from "../../audio/player/track.ts";
import { useClient } from "../../client/client.ts";
import { canPlay } from "../../lib/browser.ts";
import { classNames } from "../../lib/class-names.ts";
import { usePersistedState } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/review.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { getOriginal, toTrack } from "./file-info.ts";
import { OverviewSkeleton, TransportSkeleton } from "./player/PlayerSkeleton.tsx";
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
  /** False until the waveform is painted, which header and panels would delay. */
  isPainted?: boolean;
  /** Decides where the panels go: below the player of audio, beside a picture (video, image, document), or alone. */
  kind: "audio" | "picture" | "folder";
  /** Keeps playback in reach while the stage is scrolled out of view. */
  compactPlayer?: ReactNode;
  /** What most of the work is done in, such as comments; null if there is nothing. */
  main: ReactNode;
  /** Facts and other details of the file. */
  aside: ReactNode;
  /** The stage: the player, or what else shows the file, and notices above it. */
  children: ReactNode;
}

/**
 * Arranges a file's page. The player of audio stays while the panels below it scroll; comments stand beside a picture. On phones and in low windows the
 * whole page scrolls, and the compact player replaces a stage that is out of view.
 */
export function FileLayout({ header, isPainted = true, kind, compactPlayer, main, aside, children }: FileLayoutProps) {
  // Panels render after what is above them, so that they do not delay it.
  const showPanels = useDeferredValue(isPainted, false);
  const stage = useRef<HTMLDivElement>(null);
  const isStageVisible = useInView(stage);
  const isAudio = kind === "audio";
  const isBeside = kind === "picture" && main !== null;
  return (
    <div className="flex h-full flex-col">
      {isPainted ? header : <HeaderSkeleton />}
      <div className={classNames("min-h-0 flex-1", kind === "picture" && "@container-size")}>
        <div
          data-scroller
          className={classNames(
            "h-full overflow-y-auto",
            !isStageVisible && "scroll-pt-14",
            isAudio && "stays:flex stays:flex-col stays:overflow-hidden",
            isBeside && "beside:grid beside:grid-cols-[minmax(0,1fr)_clamp(21rem,30cqw,30rem)] beside:grid-rows-[auto_1fr]",
          )}
        >
          {compactPlayer !== undefined && !isStageVisible && (
            <div className="sticky top-0 z-10 h-0 beside:col-start-1 beside:row-start-1">
              <div className="border-b border-line bg-raised shadow-float">{compactPlayer}</div>
            </div>
          )}
          <div
            ref={stage}
            className={classNames(
              "shrink-0",
              isBeside && "beside:col-start-1 beside:row-start-1 beside:flex beside:min-h-[calc(100cqh-3.25rem)] beside:flex-col",
            )}
          >
            {children}
          </div>
          <div
            className={classNames(
              "border-line",
              kind !== "folder" && !isBeside && "border-t",
              isBeside && "border-t beside:contents",
              isAudio &&
                "stays:min-h-0 stays:flex-1 stays:overflow-y-auto stays:overscroll-contain desktop:stays:grid desktop:stays:grid-cols-[minmax(0,1fr)_22.5rem] desktop:stays:overflow-hidden",
            )}
          >
            {showPanels && (
              <>
                {main !== null && (
                  <section
                    data-scroller
                    aria-label={t("mainPanels")}
                    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container must be reachable by keyboard
                    tabIndex={0}
                    className={classNames(
                      "min-w-0",
                      isAudio && "desktop:stays:overflow-y-auto desktop:stays:overscroll-contain",
                      isBeside &&
                        "beside:sticky beside:top-0 beside:col-start-2 beside:row-span-2 beside:row-start-1 beside:h-[100cqh] beside:overflow-y-auto beside:overscroll-contain beside:border-l beside:border-line",
                    )}
                  >
                    {main}
                  </section>
                )}
                <section
                  data-scroller
                  aria-label={t("sidePanels")}
                  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
                  tabIndex={0}
                  className={classNames(
                    "@container min-w-0 bg-bg",
                    isAudio && "desktop:border-l desktop:border-line desktop:stays:overflow-y-auto desktop:stays:overscroll-contain",
                    isBeside && "beside:col-start-1 beside:row-start-2 beside:border-t beside:border-line",
                  )}
                >
                  {aside}
                </section>
              </>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Returns whether any part of the element can be seen; true before the first measurement. */
function useInView(element: RefObject<HTMLElement | null>): boolean {
  const [isInView, setIsInView] = useState(true);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setIsInView(entries.at(-1)!.isIntersecting));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return isInView;
}

/** Renders the loading state in the layout of the audio page. */
export function ReviewSkeleton() {
  const { waveformWidth } = useClient().viewMemory;
  return (
    <div role="status" aria-label={t("loading")} className="flex h-full flex-col">
      <HeaderSkeleton />
      <div className="px-4 pt-4 tablet:px-5">
        <OverviewSkeleton />
        <div
          ref={(element) => {
            if (element) waveformWidth.set(element.clientWidth - BORDERS_PX);
          }}
          className="mt-2"
        >
          <Skeleton className="h-47.5 rounded-lg tablet:h-61.5" />
        </div>
        <TransportSkeleton />
      </div>
    </div>
  );
}

/** As high as the header of most files. */
const HeaderSkeleton = () => (
  <div className="flex h-23.25 shrink-0 items-center gap-3 border-b border-line px-5 tablet:h-17.25">
    <Skeleton className="size-5" />
    <Skeleton className="h-4 w-48" />
    <Skeleton className="h-6 w-24 rounded-full" />
  </div>
);
