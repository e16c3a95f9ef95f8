import { t } from "../../../lib/messages/kept-words.ts";
import { KeptList } from "../../../parts/kept-words/KeptList.tsx";
import { useCommentOutbox, usePendingComments } from "../../../queries/comments/use-comments.ts";
import { useCommentDraft } from "../../../queries/drafts/use-comment-draft.ts";

/** What one has written about a file that one does not see any more. */
export function KeptComments({ fileId }: { fileId: number }) {
  const [draft] = useCommentDraft(`file.${fileId}`);
  const pending = usePendingComments(fileId);
  const { discard } = useCommentOutbox();
  const unsent = pending.map(({ clientId, body, state }) => ({
    key: clientId,
    text: body,
    onDelete: state === "failed" ? () => discard(clientId) : undefined,
  }));
  return <KeptList help={t("fileHelp")} texts={[{ key: "draft", text: draft.text }, ...unsent]} />;
}
