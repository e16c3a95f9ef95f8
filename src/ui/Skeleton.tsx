import { classNames } from "../lib/class-names.ts";

/** A gray block at the position and size of loading content. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={classNames("block animate-pulse bg-hover", !className.includes("rounded-") && "rounded-sm", className)} />;
}

/** Placeholder for list rows with a picture, a name and a second line. */
export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="-mx-4 flex h-15 items-center gap-3 border-b border-line px-4 last:border-0">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3 w-32" />
            <Skeleton className="h-2.5 w-48" />
          </div>
        </div>
      ))}
    </div>
  );
}
