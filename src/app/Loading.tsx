import { t } from "../lib/messages/shell.ts";
import { RailSkeleton } from "./shell/RailList.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** Placeholder in the final layout of the shell, before any data has loaded. */
export function Loading() {
  return (
    <div role="status" aria-label={t("loading")} className="flex h-full">
      <div className="w-full shrink-0 border-line bg-bg px-2 pt-3 tablet:w-62 tablet:border-r narrow:w-15">
        <div className="mb-16 flex h-9 items-center gap-3 px-2">
          <Skeleton className="size-7 rounded-md" />
          <Skeleton className="h-3.5 w-28 narrow:hidden" />
        </div>
        <RailSkeleton />
      </div>
      <div className="hidden flex-1 bg-surface tablet:block">
        <div className="h-14 border-b border-line" />
      </div>
    </div>
  );
}
