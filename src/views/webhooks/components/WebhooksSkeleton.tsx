import { Skeleton } from "../../../ui/Skeleton.tsx";

/** Renders the placeholder of the endpoint list in its final layout. */
export function WebhooksSkeleton() {
  return (
    <div aria-hidden className="h-full @min-[880px]/webhooks:grid @min-[880px]/webhooks:grid-cols-[minmax(300px,35%)_minmax(0,1fr)]">
      <div className="mx-auto w-full max-w-160 p-4 @min-[880px]/webhooks:border-r @min-[880px]/webhooks:border-line @min-[880px]/webhooks:bg-bg">
        <div className="mb-3 flex h-8 items-center justify-between">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-8 w-36 rounded-md" />
        </div>
        {[0, 1].map((index) => (
          <div key={index} className="mb-2 flex h-31 flex-col gap-2.5 rounded-lg border border-line bg-surface p-3.5">
            <Skeleton className="h-3.5 w-48" />
            <Skeleton className="h-3 w-36" />
            <Skeleton className="mt-1 h-7" />
          </div>
        ))}
      </div>
    </div>
  );
}
