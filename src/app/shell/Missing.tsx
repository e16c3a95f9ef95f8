import { FolderOpen } from "lucide-react";
import { Link } from "react-router";
import { t } from "../../lib/messages/shell.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PageTitle } from "../../parts/page-title/PageTitle.tsx";

function Missing({ title, help }: { title: string; help: string }) {
  return (
    <div className="flex h-full items-center">
      <PageTitle text={`${title} · ${t("brand")}`} />
      <h1 tabIndex={-1} className="sr-only">
        {title}
      </h1>
      <EmptyState
        icon={<FolderOpen size={22} aria-hidden />}
        title={title}
        actions={
          <Link to="/" className={buttonClasses("primary")}>
            {t("toProjects")}
          </Link>
        }
      >
        {help}
      </EmptyState>
    </div>
  );
}

/** No view has this address. */
export const NotFound = () => <Missing title={t("notFoundTitle")} help={t("notFoundHelp")} />;

/** No project with this id, or none that this person sees. */
export const MissingProject = () => <Missing title={t("projectMissingTitle")} help={t("projectMissingHelp")} />;
