import { t } from "../../../lib/messages/chat.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";

/** Pixels; constant in every state, because the virtual list starts below the header. */
export const HEADER_HEIGHT_PX = 72;

interface Props {
  projectName: string;
  hasMore: boolean;
  failed: boolean;
  onRetry(): void;
}

/** Renders the space above the oldest message: a loading placeholder, a load error or the start of the chat. */
export function TimelineHeader({ projectName, hasMore, failed, onRetry }: Props) {
  return (
    <div style={{ height: HEADER_HEIGHT_PX }} className="flex shrink-0 items-end gap-3 overflow-hidden px-5 pb-3 max-tablet:px-3.5">
      {hasMore && failed && (
        <p role="alert" className="flex items-center gap-3 text-text-2">
          {t("olderFailed")}
          <Button size="sm" onClick={onRetry}>
            {t("retry")}
          </Button>
        </p>
      )}
      {hasMore && !failed && (
        <>
          <Skeleton className="size-9 shrink-0 rounded-full" />
          <span className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-24" />
            <Skeleton className="h-3.5 w-80 max-w-full" />
          </span>
        </>
      )}
      {!hasMore && <p className="truncate text-text-3">{t("beginning", { project: projectName })}</p>}
    </div>
  );
}

/** Renders the space below the newest loaded message, with a retry if newer messages failed to load. */
export function TimelineFooter({ failed, onRetry }: Pick<Props, "failed" | "onRetry">) {
  if (!failed) return <div className="h-2 shrink-0" />;
  return (
    <p role="alert" className="flex shrink-0 items-center gap-3 px-5 py-3 text-text-2 max-tablet:px-3.5">
      {t("newerFailed")}
      <Button size="sm" onClick={onRetry}>
        {t("retry")}
      </Button>
    </p>
  );
}
