import type { ComponentProps } from "react";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { t } from "../../../lib/texts/files.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";

const ROWS = ["w-40", "w-56", "w-32", "w-64", "w-48", "w-36", "w-52", "w-44", "w-60", "w-40"];

/** Renders the loading state of the listing. */
export function ListingSkeleton({ showsTiles }: { showsTiles: boolean }) {
  if (showsTiles)
    return (
      <div
        role="status"
        aria-label={t("loading")}
        className="mt-1 grid min-h-0 flex-1 grid-cols-[repeat(auto-fill,minmax(190px,1fr))] gap-x-3 gap-y-3 overflow-hidden px-4"
      >
        {ROWS.map((_, index) => (
          <Skeleton key={index} className="h-50 rounded-md" />
        ))}
      </div>
    );
  return (
    <div role="status" aria-label={t("loading")} className="min-h-0 flex-1 overflow-hidden">
      <div className="flex h-9 items-center gap-8 border-b border-line px-11 max-tablet:hidden">
        <Skeleton className="h-3 w-16" />
      </div>
      {ROWS.map((width, index) => (
        <div key={index} className="flex h-16 items-center gap-2.5 border-b border-line px-4 tablet:h-11 tablet:pl-10.5">
          <Skeleton className="size-10 shrink-0 tablet:size-8" />
          <Skeleton className={`h-3 ${width}`} />
          <Skeleton className="ml-auto h-3 w-24 max-tablet:hidden" />
          <Skeleton className="ml-6 h-3 w-12 max-tablet:hidden" />
        </div>
      ))}
    </div>
  );
}

/** Renders the loading state of the whole view, for the project and its folders. */
export function FilesSkeleton() {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-12 shrink-0 items-center px-5">
        <Skeleton className="h-4 w-32" />
      </div>
      <div className="flex h-11 shrink-0 items-start px-4">
        <Skeleton className="h-8 w-full max-w-90" />
      </div>
      <ListingSkeleton showsTiles={false} />
    </div>
  );
}

/** Shows below a list that the rest failed to load. */
export function LoadMoreError({ onRetry }: { onRetry(): void }) {
  return (
    <div role="alert" className="sticky bottom-0 flex items-center justify-center gap-3 border-t border-line bg-surface p-3 text-text-2">
      {t("moreFailed")}
      <Button size="sm" onClick={onRetry}>
        {t("retry")}
      </Button>
    </div>
  );
}

/** Shows that the view or its list failed to load. */
export const FilesError = (props: ComponentProps<typeof LoadError>) => (
  <div className="mx-auto w-full max-w-160 p-5">
    <LoadError {...props} />
  </div>
);
