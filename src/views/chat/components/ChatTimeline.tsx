import { MessageSquare } from "lucide-react";
import { t } from "../../../lib/messages/chat.ts";
import type { History } from "../../../queries/messages/history.ts";
import type { useMessageHistory } from "../../../queries/messages/use-message-history.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { Visit } from "../model/opening.ts";
import { isShown } from "../model/rows.ts";
import { TimelineSkeleton } from "./ChatSkeleton.tsx";
import { LoadFailed } from "./LoadFailed.tsx";
import { Timeline, type TimelineProps } from "./Timeline.tsx";

type Handed = "place" | "hasMoreBefore" | "hasMoreAfter" | "olderFailed" | "newerFailed" | "onOlder" | "onNewer" | "onTrim";
interface Props extends Omit<TimelineProps, Handed> {
  visit: Visit;
  stretch: ReturnType<typeof useMessageHistory>;
  history: History | undefined;
}

/** The messages; or their shape, why they are not there, or that there are none yet. */
export function ChatTimeline({ visit, stretch, history, ...rest }: Props) {
  if (stretch.error) return <LoadFailed error={stretch.error} onRetry={() => void stretch.reload()} />;
  if (!history) return <TimelineSkeleton className="min-h-0 flex-1" />;
  if (!history.hasMoreBefore && !rest.rows.some(isShown))
    return (
      <div className="flex flex-1 items-center justify-center">
        <EmptyState icon={<MessageSquare size={22} aria-hidden />} title={t("emptyTitle")}>
          {t("emptyHelp", { project: rest.projectName })}
        </EmptyState>
      </div>
    );
  return (
    <Timeline
      key={visit.anchor}
      {...rest}
      place={visit.place}
      hasMoreBefore={history.hasMoreBefore}
      hasMoreAfter={history.hasMoreAfter}
      olderFailed={stretch.olderFailed}
      newerFailed={stretch.newerFailed}
      onOlder={stretch.loadOlder}
      onNewer={stretch.loadNewer}
      onTrim={stretch.trim}
    />
  );
}
