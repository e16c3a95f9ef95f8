import { ChevronLeft, Download, MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { FileCommon } from "../../../contract/records.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { StatusMenu } from "../../components/status/StatusMenu.tsx";
import { t } from "../../lib/texts/review.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { downloadUrl } from "./file-info.ts";

/** Renders the back link, file name, status, and download link. `version` is the version menu. */
export function FileHeader({ common, version }: { common: FileCommon; version: ReactNode }) {
  const { id, name, project_id, file_team_id, status, url } = common;
  const chatPath = `/projects/${project_id}/chat`;
  const navigate = useNavigate();
  const fromFiles = (useLocation().state as { fromFiles?: boolean } | null)?.fromFiles === true;
  const backLabel = t(fromFiles ? "backToFiles" : "back");
  return (
    <header className="flex min-h-14 shrink-0 items-center gap-2 border-b border-line py-1.5 pr-3 pl-2 tablet:pl-4">
      <PageTitle text={t("title", { file: name })} />
      <Link
        to={fromFiles ? `/projects/${project_id}/files` : chatPath}
        aria-label={backLabel}
        title={backLabel}
        onClick={(event) => {
          if (!fromFiles || event.ctrlKey || event.metaKey || event.shiftKey) return;
          // Goes back in history to restore the position in the file list.
          event.preventDefault();
          void navigate(-1);
        }}
        className={`${iconButtonClasses} max-tablet:size-10`}
      >
        <ChevronLeft size={20} aria-hidden />
      </Link>
      <div className="flex min-w-0 flex-1 flex-col tablet:flex-row tablet:items-center tablet:gap-2.5">
        <h1 tabIndex={-1} title={name} className="truncate text-lg font-semibold">
          <bdi>{name}</bdi>
        </h1>
        <div className="-ml-1 flex min-w-0 items-center gap-2 tablet:ml-0">
          {version}
          <StatusMenu fileId={id} teamId={file_team_id} fileName={name} status={status} />
        </div>
      </div>
      <Link to={chatPath} className={`${buttonClasses("ghost")} max-tablet:hidden`}>
        <MessageSquare size={16} aria-hidden />
        {t("inChat")}
      </Link>
      <a href={downloadUrl(url)} download={name} aria-label={t("download")} title={t("download")} className={`${iconButtonClasses} max-tablet:size-10`}>
        <Download size={18} aria-hidden />
      </a>
    </header>
  );
}
