import { useEffect } from "react";
import { useParams } from "react-router";
import { player } from "../../audio/player.ts";
import { t } from "../../lib/messages/review.ts";
import { LoadError } from "../../parts/load-error/LoadError.tsx";
import { useFileInfo } from "../../queries/files/use-file-info.ts";
import { useProjectEvents } from "../../queries/live/connection.ts";
import { isInaccessible } from "../../queries/problems.ts";
import { FilePage } from "./components/FilePage.tsx";
import { MissingFile } from "./components/MissingFile.tsx";
import { ReviewSkeleton } from "./components/ReviewSkeleton.tsx";

/** Renders the page of one file. */
export function ReviewView() {
  const fileId = Number(useParams()["fileId"]);
  const isValidId = Number.isSafeInteger(fileId) && fileId > 0;
  return isValidId ? <FileLoader key={fileId} fileId={fileId} /> : <MissingFile fileId={null} />;
}

function FileLoader({ fileId }: { fileId: number }) {
  const { data, error, refetch } = useFileInfo(fileId);
  useProjectEvents(data?.common.project_id ?? null);
  const isUnavailable = error !== null && isInaccessible(error);
  useEffect(() => {
    // Stops the player when its file was deleted elsewhere, because the page no longer offers a way to stop it.
    if (isUnavailable && player.state().track?.fileId === fileId) player.stop();
  }, [isUnavailable, fileId]);
  if (isUnavailable) return <MissingFile fileId={fileId} />;
  if (data) return <FilePage info={data} />;
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
