import { useMemo, useSyncExternalStore } from "react";
import { onRememberedElsewhere } from "../../lib/remembered.ts";
import { useSession } from "../session/use-session.ts";
import { BLANK, deskOf, loadWritten, saveWritten, type Desk, type Written } from "./comment-drafts.ts";
import { keepUntil } from "./keep-until.ts";
import { createSharedDrafts } from "./shared-drafts.ts";

const drafts = createSharedDrafts<Written, Desk>({ load: loadWritten, save: saveWritten });
onRememberedElsewhere((name) => {
  const whose = deskOf(name);
  if (whose) drafts.writtenElsewhere(whose.accountId, whose.desk);
});

/** What is being written at a desk; it outlasts other views, a reload and its writer's session. */
export function useCommentDraft(desk: Desk) {
  const { id } = useSession().account;
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.of(id, desk));
  const handle = useMemo(
    () => ({
      /** As it is now, also outside of a drawing. */
      now: () => drafts.of(id, desk),
      change: (change: (before: Written) => Written) => drafts.change(id, desk, change(drafts.of(id, desk))),
      /** It was handed in: forgotten here, and by the browser once `stored` says that it is kept. */
      sent(stored: Promise<unknown>) {
        const written = drafts.of(id, desk);
        drafts.change(id, desk, BLANK);
        keepUntil({ load: () => loadWritten(id, desk), save: (kept) => saveWritten(id, desk, kept) }, written, stored);
      },
    }),
    [id, desk],
  );
  return [draft, handle] as const;
}

/** Puts words in front of what is being answered to a comment. */
export function answerDraft(accountId: number, commentId: number, text: string): void {
  const { text: before, mark } = drafts.of(accountId, `comment.${commentId}`);
  drafts.change(accountId, `comment.${commentId}`, { text: before === "" ? text : `${text}\n${before}`, mark });
}
