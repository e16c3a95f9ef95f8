import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { t } from "../../lib/messages/upload-panel.ts";
import { useOwnEntries } from "../../queries/outbox/use-outbox.ts";
import { showToast } from "../../ui/toast.ts";
import { unseenFailedComments } from "./refused.ts";

/** Tells of comments that were not sent, wherever their writer is by then, and leads to them. */
export function useFailedCommentToasts(): void {
  const entries = useOwnEntries();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const announcedIds = useRef<ReadonlySet<string>>(new Set());
  const notifyFailures = useEffectEvent(() => {
    const newFailures = unseenFailedComments(entries, announcedIds.current, pathname);
    // One that is tried again may be refused again.
    announcedIds.current = new Set(entries.flatMap(({ clientId, state }) => (state === "failed" ? clientId : [])));
    const [first] = newFailures;
    if (!first?.comment) return;
    const { fileId } = first.comment;
    showToast({
      text: t("commentsRefused", { count: newFailures.length }),
      tone: "bad",
      action: { label: t("goToComments"), run: () => void navigate(`/files/${fileId}`) },
    });
  });
  useEffect(() => notifyFailures(), [entries]);
}
