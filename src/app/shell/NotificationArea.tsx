import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { t as tStatus } from "../../lib/texts/status.ts";
import { t } from "../../lib/texts/upload-panel.ts";
import type { OutboxEntry } from "../../sync/outbox/outbox-types.ts";
import { useOwnEntries } from "../../sync/outbox/use-outbox.ts";
import { usePendingStatusSession } from "../../sync/statuses/use-pending-statuses.ts";
import { useHasFilesViewUploads } from "../../sync/uploads/use-uploads.ts";
import { useToasts } from "../../ui/toast.ts";
import { Toasts } from "../../ui/Toasts.tsx";
import { UploadPanel } from "./uploads/UploadPanel.tsx";
import { PendingStatusChangeCards, useFloatingStatusChanges, useStatusChangeAnnouncements } from "./PendingStatusChangeCards.tsx";

/** Shows pending status changes, toasts and uploads at the lower edge of every view. */
export function NotificationArea(): ReactNode {
  const hasUploads = useHasFilesViewUploads();
  usePendingStatusSession();
  useStatusChangeAnnouncements();
  useFailedCommentToasts();
  const pendingChanges = useFloatingStatusChanges();
  return (
    <>
      <div className="relative">
        <Toasts label={t("toasts")} childrenLabel={tStatus("changes")}>
          {pendingChanges.length > 0 && <PendingStatusChangeCards pendingChanges={pendingChanges} />}
        </Toasts>
      </div>
      {hasUploads && <UploadPanel />}
    </>
  );
}

/** Shows a toast for comments that failed to send, in any view, with a link to them. */
function useFailedCommentToasts(): void {
  const entries = useOwnEntries();
  const { pathname } = useLocation();
  const toasts = useToasts();
  const navigate = useNavigate();
  const announcedIds = useRef<ReadonlySet<string>>(new Set());
  const notifyFailures = useEffectEvent(() => {
    const newFailures = unseenFailedComments(entries, announcedIds.current, pathname);
    // A retried comment may fail again, so only comments in the failed state count as announced.
    announcedIds.current = new Set(entries.flatMap(({ clientId, state }) => (state === "failed" ? clientId : [])));
    const [first] = newFailures;
    if (!first?.comment) return;
    const { fileId } = first.comment;
    toasts.show({
      text: t("commentsFailed", { count: newFailures.length }),
      tone: "danger",
      action: { label: t("viewComments"), run: () => void navigate(`/files/${fileId}`) },
    });
  });
  useEffect(() => notifyFailures(), [entries]);
}

/** Returns failed comments that are not in `announcedIds`, except those of the open file, whose page shows the failure itself. */
export function unseenFailedComments(entries: readonly OutboxEntry[], announcedIds: ReadonlySet<string>, pathname: string): OutboxEntry[] {
  return entries.filter(
    ({ state, comment, clientId }) => state === "failed" && comment && !announcedIds.has(clientId) && pathname !== `/files/${comment.fileId}`,
  );
}
