import { FileQuestionMark } from "lucide-react";
import { UnsentComments } from "../comments/KeptComments.tsx";
import { Link } from "react-router";
import { t } from "../../../lib/messages/review.ts";
import { buttonClasses } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { PageTitle } from "../../../parts/page-title/PageTitle.tsx";

/** Shows that the file does not exist or is not accessible. `fileId` is null if the URL has no valid id. */
export function MissingFile({ fileId }: { fileId: number | null }) {
  return (
    <div className="flex h-full flex-col justify-center overflow-y-auto">
      <PageTitle text={t("title", { file: t("missingTitle") })} />
      <h1 tabIndex={-1} className="sr-only">
        {t("missingTitle")}
      </h1>
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
      {fileId !== null && <UnsentComments fileId={fileId} />}
    </div>
  );
}
