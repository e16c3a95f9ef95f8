import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { t } from "../../lib/messages/upload-panel.ts";
import { useOwnEntries } from "../../queries/outbox/use-outbox.ts";
import { showToast } from "../../ui/toast.ts";
import { unseenFailedComments } from "./refused.ts";

/** Shows a toast for comments that failed to send, in any view, with a link to them. */
export function useFailedCommentToasts(): void {
  const entries = useOwnEntries();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const announcedIds = useRef<ReadonlySet<string>>(new Set());
  const notifyFailures = useEffectEvent(() => {
    const newFailures = unseenFailedComments(entries, announcedIds.current, pathname);
    // A retried comment may fail again, so only comments in the failed state count as announced.
    announcedIds.current = new Set(entries.flatMap(({ clientId, state }) => (state === "failed" ? clientId : [])));
    const [first] = newFailures;
    if (!first?.comment) return;
    const { fileId } = first.comment;
    showToast({
      text: t("commentsFailed", { count: newFailures.length }),
      tone: "bad",
      action: { label: t("viewComments"), run: () => void navigate(`/files/${fileId}`) },
    });
  });
  useEffect(() => notifyFailures(), [entries]);
}
