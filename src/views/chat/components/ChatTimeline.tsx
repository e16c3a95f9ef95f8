import { MessageSquare } from "lucide-react";
import { t } from "../../../lib/messages/chat.ts";
import type { History } from "../../../queries/messages/history.ts";
import type { useMessageHistory } from "../../../queries/messages/use-message-history.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { ChatLocation } from "../model/opening.ts";
import { isVisibleRow } from "../model/rows.ts";
import { TimelineSkeleton } from "./ChatSkeleton.tsx";
import { LoadFailed } from "./LoadFailed.tsx";
import { Timeline, type TimelineProps } from "./Timeline.tsx";

type ProvidedProps = "scrollTarget" | "hasMoreBefore" | "hasMoreAfter" | "olderFailed" | "newerFailed" | "onLoadOlder" | "onLoadNewer" | "onTrim";
interface Props extends Omit<TimelineProps, ProvidedProps> {
  location: ChatLocation;
  loadedWindow: ReturnType<typeof useMessageHistory>;
  history: History | undefined;
}

/** Renders the messages, or the loading, error or empty state in their place. */
export function ChatTimeline({ location, loadedWindow, history, ...rest }: Props) {
  if (loadedWindow.error) return <LoadFailed error={loadedWindow.error} onRetry={() => void loadedWindow.reload()} />;
  if (!history) return <TimelineSkeleton className="min-h-0 flex-1" />;
  if (!history.hasMoreBefore && !rest.rows.some(isVisibleRow))
    return (
      <div className="flex flex-1 items-center justify-center">
        <EmptyState icon={<MessageSquare size={22} aria-hidden />} title={t("emptyTitle")}>
          {t("emptyHelp", { project: rest.projectName })}
        </EmptyState>
      </div>
    );
  return (
    <Timeline
      key={location.anchor}
      {...rest}
      scrollTarget={location.scrollTarget}
      hasMoreBefore={history.hasMoreBefore}
      hasMoreAfter={history.hasMoreAfter}
      olderFailed={loadedWindow.olderFailed}
      newerFailed={loadedWindow.newerFailed}
      onLoadOlder={loadedWindow.loadOlder}
      onLoadNewer={loadedWindow.loadNewer}
      onTrim={loadedWindow.trim}
    />
  );
}
