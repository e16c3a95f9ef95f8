import { t } from "../../../lib/messages/review.ts";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { setWaveformWidth } from "../model/lane-width.ts";

/** Total border width of the waveform in CSS pixels. */
const BORDERS_PX = 2;
const measureWidth = (element: HTMLElement | null) => {
  if (element) setWaveformWidth(element.clientWidth - BORDERS_PX);
};

/** Renders the loading state in the layout of the audio page. */
export function ReviewSkeleton() {
  return (
    <div role="status" aria-label={t("loading")} className="flex h-full flex-col">
      <div className="flex h-14 shrink-0 items-center gap-3 border-b border-line px-5">
        <Skeleton className="size-5" />
        <Skeleton className="h-4 w-48" />
        <Skeleton className="h-6 w-24 rounded-full" />
      </div>
      <div className="px-4 pt-4 tablet:px-5">
        <Skeleton className="h-12 rounded-lg tablet:h-14" />
        <div ref={measureWidth} className="mt-2">
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
