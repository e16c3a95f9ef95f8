import { t } from "../../../lib/messages/kept-words.ts";
import { UnsentDraftList } from "../../../parts/kept-words/KeptList.tsx";
import { useCommentOutbox, usePendingComments } from "../../../queries/comments/use-comments.ts";
import { useCommentDraft } from "../../../queries/drafts/use-comment-draft.ts";

/** Lists the user's draft and pending comments of a file that the user can no longer access. */
export function UnsentComments({ fileId }: { fileId: number }) {
  const [draft] = useCommentDraft(`file.${fileId}`);
  const pending = usePendingComments(fileId);
  const { discard } = useCommentOutbox();
  const unsentDrafts = pending.map(({ clientId, body, state }) => ({
    key: clientId,
    text: body,
    onDelete: state === "failed" ? () => discard(clientId) : undefined,
  }));
  return <UnsentDraftList help={t("fileHelp")} drafts={[{ key: "draft", text: draft.text }, ...unsentDrafts]} />;
}
