import { FolderOpen } from "lucide-react";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { PageTitle } from "../components/PageTitle.tsx";
import { t } from "../lib/texts/shell.ts";
import { announce } from "../ui/announce.ts";
import { buttonClasses } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

const UnsentDrafts = lazy(async () => ({ default: (await import("./UnsentDrafts.tsx")).UnsentDrafts }));

function NotFoundPane({ title, help, children }: { title: string; help: string; children?: ReactNode }) {
  return (
    <div className="flex h-full flex-col justify-center-safe overflow-y-auto">
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
      {children}
    </div>
  );
}

/** Shown for an unknown path. */
export const NotFound = () => <NotFoundPane title={t("notFoundTitle")} help={t("notFoundHelp")} />;

/** Shown if the project does not exist or is not visible to the person, who may have lost access while writing in it. */
export function ProjectNotFound() {
  const { projectId } = useParams();
  const title = t("projectMissingTitle");
  useEffect(() => announce(title), [title]);
  return (
    <NotFoundPane title={title} help={t("projectMissingHelp")}>
      <Suspense fallback={null}>
        <UnsentDrafts projectId={Number(projectId)} />
      </Suspense>
    </NotFoundPane>
  );
}
