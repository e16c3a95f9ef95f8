/** Stands in the place of the player's parts until they are shown, at their height, so that the waveform does not move. */
import { Skeleton } from "../../../ui/Skeleton.tsx";

export const OverviewSkeleton = () => <Skeleton className="h-15.5 rounded-lg tablet:h-16.5" />;

/** The place of comment markers under the waveform. */
export const MarkersSkeleton = () => <div className="h-8" />;

export const TransportSkeleton = () => (
  <div className="flex h-18 items-center gap-4">
    <Skeleton className="size-11 rounded-full" />
    <Skeleton className="h-5 w-36" />
  </div>
);
