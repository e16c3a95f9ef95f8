import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { t } from "../../lib/messages/upload-panel.ts";
import { useEntries } from "../../queries/outbox/use-outbox.ts";
import { showToast } from "../../ui/toast.ts";
import { refusedOf } from "./refused.ts";

/** Tells of comments that were not sent, wherever their writer is by then, and leads to them. */
export function useRefusedComments(): void {
  const entries = useEntries();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const told = useRef<ReadonlySet<string>>(new Set());
  const look = useEffectEvent(() => {
    const news = refusedOf(entries, told.current, pathname);
    // One that is tried again may be refused again.
    told.current = new Set(entries.flatMap(({ clientId, state }) => (state === "failed" ? clientId : [])));
    const [first] = news;
    if (!first?.comment) return;
    const { fileId } = first.comment;
    showToast({
      text: t("commentsRefused", { count: news.length }),
      tone: "bad",
      action: { label: t("goToComments"), run: () => void navigate(`/files/${fileId}`) },
    });
  });
  useEffect(() => look(), [entries]);
}
