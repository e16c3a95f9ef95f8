import { Skeleton } from "../../../ui/Skeleton.tsx";
import { t } from "../../../lib/messages/chat.ts";
import { classes } from "../../../lib/classes.ts";

/** Widths of a name and its lines, shaped like a conversation. */
const BLOCKS = [
  ["w-24", "w-104"],
  ["w-20", "w-64", "w-80"],
  ["w-28", "w-48"],
  ["w-20", "w-96", "w-40"],
  ["w-24", "w-72"],
];

/** Renders the timeline's placeholder while messages load, aligned to the bottom like the messages. */
export function TimelineSkeleton({ className }: { className?: string }) {
  return (
    <div role="status" aria-label={t("loadingMessages")} className={classes("flex flex-col justify-end gap-5 overflow-hidden px-5 pb-4", className)}>
      {[...BLOCKS, ...BLOCKS].map(([name, ...lines], index) => (
        <div key={index} className="flex shrink-0 gap-3">
          <Skeleton className="size-9 shrink-0 rounded-full" />
          <div className="flex min-w-0 flex-1 flex-col gap-2 pt-0.5">
            <Skeleton className={classes("h-3.5", name)} />
            {lines.map((width, line) => (
              <Skeleton key={line} className={classes("h-3.5 max-w-full", width)} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Renders the placeholder of the whole view while its project loads. */
export function ChatSkeleton() {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <TimelineSkeleton className="min-h-0 flex-1" />
      <div className="px-5 pb-5 max-tablet:px-2.5 max-tablet:pb-2.5">
        <Skeleton className="h-13 rounded-lg" />
      </div>
    </div>
  );
}
