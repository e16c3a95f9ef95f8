import { useState } from "react";
import { useParams } from "react-router";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { ArchivedNotice } from "../../components/projects/ArchivedNotice.tsx";
import { InProject } from "../../components/projects/InProject.tsx";
import { t } from "../../lib/texts/review.ts";
import { isInaccessible } from "../../queries/describe-error.ts";
import { useFileInfo } from "../../queries/files/use-file.ts";
import { useFollowProject } from "../../sync/live/use-connection.ts";
import { useFileHistory } from "./file-history.ts";
import { ReviewSkeleton } from "./FileLayout.tsx";
import { FilePage } from "./FilePage.tsx";
import { MissingFile } from "./MissingFile.tsx";

export function ReviewView() {
  const fileId = Number(useParams()["fileId"]);
  const isValidId = Number.isSafeInteger(fileId) && fileId > 0;
  return isValidId ? <FileLoader key={fileId} fileId={fileId} /> : <MissingFilePage fileId={null} />;
}

function FileLoader({ fileId }: { fileId: number }) {
  useFileHistory();
  const { data, error, refetch } = useFileInfo(fileId);
  const [isCached] = useState(data !== undefined);
  useFollowProject(data?.common.project_id ?? null);
  if (error !== null && isInaccessible(error)) return <MissingFilePage fileId={fileId} />;
  if (data)
    return (
      <InProject id={data.common.project_id}>
        <div className="flex h-full flex-col">
          <ArchivedNotice projectId={data.common.project_id} />
          <div className="min-h-0 flex-1">
            <FilePage info={data} isCached={isCached} />
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

/** Renders the page of a file that does not exist or is not accessible. `fileId` is null if the URL has no valid id. */
function MissingFilePage({ fileId }: { fileId: number | null }) {
  return (
    <div className="flex h-full flex-col justify-center overflow-y-auto">
      <PageTitle text={t("title", { file: t("missingTitle") })} />
      <h1 tabIndex={-1} className="sr-only">
        {t("missingTitle")}
      </h1>
      <MissingFile fileId={fileId} />
    </div>
  );
}
