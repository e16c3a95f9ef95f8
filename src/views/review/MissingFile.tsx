import { FileQuestionMark } from "lucide-react";
import { Suspense, useEffect } from "react";
import { Link } from "react-router";
import { getDeletedFile } from "../../../contract/operations/files-view.ts";
import { usePlayer } from "../../audio/player/use-player.ts";
import { useClient } from "../../client/client.ts";
import { lazyPart } from "../../components/lazy-part.tsx";
import { UnsentDraftList } from "../../components/UnsentDraftList.tsx";
import { UploadTray } from "../../components/uploads/MessageUploads.tsx";
import { t } from "../../lib/texts/review.ts";
import { t as tDrafts } from "../../lib/texts/unsent-drafts.ts";
import { usePendingComments } from "../../queries/comments/use-comments.ts";
import { useCommentDraft } from "../../sync/drafts/use-comment-draft.ts";
import { useDraftUploads } from "../../sync/uploads/use-uploads.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";

const DeletedFile = lazyPart(
  async () => (await import("./DeletedFile.tsx")).DeletedFile,
  ({ children }) => children,
);

/** Shows that a file is deleted, does not exist or is not accessible, and what the user wrote about it. `fileId` is null if the URL has no valid id. */
export function MissingFile({ fileId }: { fileId: number | null }) {
  const offersRestore = useClient().api.offers(getDeletedFile);
  const player = usePlayer();
  useEffect(() => {
    // Stops the player when its file was deleted elsewhere, because the view no longer offers a way to stop it.
    if (player.state().track?.fileId === fileId) player.stop();
  }, [player, fileId]);
  const unknown = (
    <EmptyState
      icon={<FileQuestionMark size={22} aria-hidden />}
      title={t("missingTitle")}
      actions={
        <Link to="/" className={buttonClasses("primary")}>
          {t("toProjects")}
        </Link>
      }
    >
      {t("missingHelp")}
    </EmptyState>
  );
  return (
    <>
      {fileId !== null && offersRestore ? (
        <Suspense fallback={null}>
          <DeletedFile fileId={fileId}>{unknown}</DeletedFile>
        </Suspense>
      ) : (
        unknown
      )}
      {fileId !== null && <UnsentComments fileId={fileId} />}
    </>
  );
}

/** Lists the user's draft with its files, and the pending comments, of a file that the user can no longer access. */
function UnsentComments({ fileId }: { fileId: number }) {
  const [draft] = useCommentDraft(`file.${fileId}`);
  const uploads = useDraftUploads(`file.${fileId}`);
  const pending = usePendingComments(fileId);
  const { discard } = useClient().outbox;
  const unsentDrafts = pending.map(({ clientId, body, state }) => ({
    key: clientId,
    text: body,
    onDelete: state === "failed" ? () => discard(clientId) : undefined,
  }));
  return (
    <UnsentDraftList
      help={tDrafts("fileHelp")}
      drafts={[{ key: "draft", text: draft.text }, ...unsentDrafts]}
      files={uploads.length > 0 && <UploadTray uploads={uploads} />}
    />
  );
}
