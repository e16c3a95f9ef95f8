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
  return useMemo(
    () => ({
      draft,
      change: (change: (before: Written) => Written) => drafts.change(id, desk, change(drafts.of(id, desk))),
      /** It was handed in: forgotten here, and by the browser once `stored` says that it is kept. */
      sent(stored: Promise<unknown>) {
        drafts.change(id, desk, BLANK);
        keepUntil({ load: () => loadWritten(id, desk), save: (kept) => saveWritten(id, desk, kept) }, draft, stored);
      },
    }),
    [draft, id, desk],
  );
}
