import { CloudAlert } from "lucide-react";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/chat.ts";
import { describeLoadError } from "../../queries/describe-error.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** Widths of each placeholder message: its author's name, then its lines of text. */
const BLOCKS = [
  ["w-24", "w-104"],
  ["w-20", "w-64", "w-80"],
  ["w-28", "w-48"],
  ["w-20", "w-96", "w-40"],
  ["w-24", "w-72"],
];

/** Renders the placeholder of the whole view while its project loads. */
export function ChatSkeleton() {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <TimelineSkeleton className="min-h-0 flex-1" />
      <div className="px-[max(20px,calc((100%-920px)/2))] pb-5 max-tablet:px-2.5 max-tablet:pb-2.5">
        <Skeleton className="h-13 rounded-lg" />
      </div>
    </div>
  );
}

/** Renders the timeline's placeholder while messages load, aligned to the bottom like the messages. */
export function TimelineSkeleton({ className }: { className?: string }) {
  return (
    <div
      role="status"
      aria-label={t("loadingMessages")}
      className={classNames("flex flex-col justify-end gap-5 overflow-hidden px-[max(20px,calc((100%-920px)/2))] pb-4", className)}
    >
      {[...BLOCKS, ...BLOCKS].map(([name, ...lines], index) => (
        <div key={index} className="flex shrink-0 gap-3">
          <Skeleton className="size-9 shrink-0 rounded-full" />
          <div className="flex min-w-0 flex-1 flex-col gap-2 pt-0.5">
            <Skeleton className={classNames("h-3.5", name)} />
            {lines.map((width, line) => (
              <Skeleton key={line} className={classNames("h-3.5 max-w-full", width)} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Replaces the messages after a failed load and offers a retry. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const { title, help = "" } = describeLoadError(error);
  return (
    <div role="alert" className="flex h-full flex-1 items-center justify-center">
      <EmptyState icon={<CloudAlert size={22} aria-hidden />} title={t("loadFailed")} actions={<Button onClick={onRetry}>{t("retry")}</Button>}>
        {`${title}. ${help}`.trim()}
      </EmptyState>
    </div>
  );
}
