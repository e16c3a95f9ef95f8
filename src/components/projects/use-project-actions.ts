import { useNavigate } from "react-router";
import type { Group, Project } from "../../../contract/records.ts";
import { useClient } from "../../client/client.ts";
import { t } from "../../lib/texts/projects.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { recreateGroup, restoreProject, updateProject } from "../../queries/project-mutations.ts";
import { useToasts } from "../../ui/toast.ts";

/** Archives projects, and offers to undo that and the deletion of projects and groups, with toasts that outlast the view. */
export function useProjectActions() {
  const client = useClient();
  const toasts = useToasts();
  const navigate = useNavigate();

  /** Resolves to false if the service rejects the change, which a toast shows. */
  async function setArchived({ id, name }: Pick<Project, "id" | "name">, archived: boolean): Promise<boolean> {
    try {
      await updateProject(client, id, { archived });
    } catch (error) {
      toasts.showError(t(archived ? "notArchived" : "notUnarchived", { name, reason: formatErrorReason(error) }));
      return false;
    }
    if (archived) toasts.offerUndo(t("archivedToast", { name }), t("undo"), () => void setArchived({ id, name }, false));
    else toasts.show({ text: t("unarchivedToast", { name }) });
    return true;
  }

  return {
    setArchived,
    /** Offers to create a group again that was just deleted, with the projects that were in it. */
    offerRecreate(group: Group, projects: readonly Project[]): void {
      const { name } = group;
      toasts.offerUndo(t("deletedToast", { name }), t("undo"), () => {
        recreateGroup(client, group, projects).then(
          () => toasts.show({ text: t("restoredToast", { name }) }),
          (error: unknown) => toasts.showError(t("notRestored", { name, reason: formatErrorReason(error) })),
        );
      });
    },
    /** Offers to restore a project that was just deleted, and then opens `path`, the page of the project that was open. */
    offerRestore({ id, name }: Pick<Project, "id" | "name">, path: string | null): void {
      toasts.offerUndo(t("deletedToast", { name }), t("undo"), () => {
        restoreProject(client, id).then(
          () => {
            toasts.show({ text: t("restoredToast", { name }) });
            if (path !== null) void navigate(path);
          },
          (error: unknown) => toasts.showError(t("notRestored", { name, reason: formatErrorReason(error) })),
        );
      });
    },
  };
}
