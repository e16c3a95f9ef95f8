import { FileQuestionMark } from "lucide-react";
import { lazy, Suspense, useEffect } from "react";
import { Link, useParams } from "react-router";
import { getDeletedFile } from "../../../contract/operations/files-view.ts";
import { useClient } from "../../client/client.ts";
import { usePlayer } from "../../audio/player/use-player.ts";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { ArchivedNotice } from "../../components/projects/ArchivedNotice.tsx";
import { InProject } from "../../components/projects/InProject.tsx";
import { UnsentDraftList } from "../../components/UnsentDraftList.tsx";
import { t } from "../../lib/texts/review.ts";
import { t as tDrafts } from "../../lib/texts/unsent-drafts.ts";
import { usePendingComments } from "../../queries/comments/use-comments.ts";
import { isInaccessible } from "../../queries/describe-error.ts";
import { useFileInfo } from "../../queries/files/use-file.ts";
import { useCommentDraft } from "../../sync/drafts/use-comment-draft.ts";
import { useFollowProject } from "../../sync/live/use-connection.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ReviewSkeleton } from "./FileLayout.tsx";
import { FilePage } from "./FilePage.tsx";

const DeletedFile = lazy(async () => ({ default: (await import("./DeletedFile.tsx")).DeletedFile }));

export function ReviewView() {
  const fileId = Number(useParams()["fileId"]);
  const isValidId = Number.isSafeInteger(fileId) && fileId > 0;
  return isValidId ? <FileLoader key={fileId} fileId={fileId} /> : <MissingFile fileId={null} />;
}

function FileLoader({ fileId }: { fileId: number }) {
  const { data, error, refetch } = useFileInfo(fileId);
  const player = usePlayer();
  useFollowProject(data?.common.project_id ?? null);
  const isUnavailable = error !== null && isInaccessible(error);
  useEffect(() => {
    // Stops the player when its file was deleted elsewhere, because the page no longer offers a way to stop it.
    if (isUnavailable && player.state().track?.fileId === fileId) player.stop();
  }, [player, isUnavailable, fileId]);
  if (isUnavailable) return <MissingFile fileId={fileId} />;
  if (data)
    return (
      <InProject id={data.common.project_id}>
        <div className="flex h-full flex-col">
          <ArchivedNotice projectId={data.common.project_id} />
          <div className="min-h-0 flex-1">
            <FilePage info={data} />
          </div>
        </div>
      </InProject>
    );
  if (!error) return <ReviewSkeleton />;
  return (
    <div className="mx-auto max-w-120 p-5">
      <h1 tabIndex={-1} className="mb-3 text-lg font-semibold">
        {t("failedTitle")}
      </h1>
      <LoadError error={error} retry={() => void refetch()} />
    </div>
  );
}

/** Shows that the file does not exist or is not accessible. `fileId` is null if the URL has no valid id. */
function MissingFile({ fileId }: { fileId: number | null }) {
  const offersRestore = useClient().api.offers(getDeletedFile);
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
    <div className="flex h-full flex-col justify-center overflow-y-auto">
      <PageTitle text={t("title", { file: t("missingTitle") })} />
      <h1 tabIndex={-1} className="sr-only">
        {t("missingTitle")}
      </h1>
      {fileId !== null && offersRestore ? (
        <Suspense fallback={null}>
          <DeletedFile fileId={fileId}>{unknown}</DeletedFile>
        </Suspense>
      ) : (
        unknown
      )}
      {fileId !== null && <UnsentComments fileId={fileId} />}
    </div>
  );
}

/** Lists the user's draft and pending comments of a file that the user can no longer access. */
function UnsentComments({ fileId }: { fileId: number }) {
  const [draft] = useCommentDraft(`file.${fileId}`);
  const pending = usePendingComments(fileId);
  const { discard } = useClient().outbox;
  const unsentDrafts = pending.map(({ clientId, body, state }) => ({
    key: clientId,
    text: body,
    onDelete: state === "failed" ? () => discard(clientId) : undefined,
  }));
  return <UnsentDraftList help={tDrafts("fileHelp")} drafts={[{ key: "draft", text: draft.text }, ...unsentDrafts]} />;
}
