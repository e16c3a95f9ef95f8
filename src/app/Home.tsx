import { FolderOpen, Plus } from "lucide-react";
import { Link } from "react-router";
import { PageTitle } from "../components/PageTitle.tsx";
import { t } from "../lib/texts/shell.ts";
import { useCan } from "../queries/permissions.ts";
import { useProjects } from "../queries/projects.ts";
import { useSession } from "../queries/session.ts";
import { Button, buttonClasses } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { useOpenDialog } from "./dialogs/dialog-context.ts";

/** The view at "/" without a project to open: shows what to do first. */
export function Home() {
  const openDialog = useOpenDialog();
  const canCreateProjects = useCan("project.create");
  const canMakeDemo = useCan("demo.make");
  const { organisation } = useSession();
  const hasProjects = (useProjects().data ?? []).length > 0;
  return (
    <div className="flex h-full items-center">
      <PageTitle text={`${organisation.name} · ${t("brand")}`} />
      <h1 tabIndex={-1} className="sr-only">
        {organisation.name}
      </h1>
      {hasProjects ? (
        <EmptyState icon={<FolderOpen size={22} aria-hidden />} title={t("pickTitle")}>
          {t("pickHelp")}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<FolderOpen size={22} aria-hidden />}
          title={t("noProjectsTitle")}
          actions={
            canCreateProjects && (
              <>
                <Button icon={Plus} variant="primary" onClick={() => openDialog({ kind: "new-project" })}>
                  {t("newProject")}
                </Button>
                {canMakeDemo && (
                  <Link to="/welcome" className={buttonClasses()}>
                    {t("demo")}
                  </Link>
                )}
              </>
            )
          }
        >
          {canCreateProjects ? t("createFirstProject") : t("askForProject", { organisation: organisation.name })}
        </EmptyState>
      )}
    </div>
  );
}
