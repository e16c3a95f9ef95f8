import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { DeletedEntry } from "../../../contract/file-records.ts";
import { useClient, useServiceTime } from "../../client/client.ts";
import { restoredText } from "../../components/deleted-files.ts";
import { InProject } from "../../components/projects/InProject.tsx";
import { t } from "../../lib/texts/deleted-files.ts";
import { formatDayTime } from "../../lib/time.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { useDeletedFile } from "../../queries/file-lists/deleted-files.ts";
import { restoreEntries } from "../../queries/file-lists/file-mutations.ts";
import { invalidateFile } from "../../queries/files/cache-updates.ts";
import { usePeople } from "../../queries/members.ts";
import { useCurrentUser } from "../../queries/permissions.ts";
import { Button, buttonClasses } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useToasts } from "../../ui/toast.ts";

/** Shows that a file was deleted and offers to restore it; renders the children for a file of which nothing is known. */
export function DeletedFile({ fileId, children }: { fileId: number; children: ReactNode }) {
  const { data: entry, isPending } = useDeletedFile(fileId);
  if (isPending) return null;
  if (!entry) return children;
  return (
    <InProject id={entry.project_id}>
      <DeletedEntryNotice entry={entry} />
    </InProject>
  );
}

function DeletedEntryNotice({ entry }: { entry: DeletedEntry }) {
  const client = useClient();
  const toasts = useToasts();
  const now = useServiceTime();
  const { isArchived } = useCurrentUser();
  const personOf = usePeople(entry.project_id);
  const [isRestoring, setIsRestoring] = useState(false);
  const { id: fileId, name, project_id, parent_id, location, deleted_at, deleted_by_account_id, restorable_until } = entry;
  async function restore(): Promise<void> {
    setIsRestoring(true);
    try {
      const restored = await restoreEntries(client, [fileId]);
      toasts.show({
        text: restoredText([{ id: fileId, name }], restored, restored[0]?.parent_id === parent_id ? location.split("/").at(-1) || t("inRoot") : null),
      });
      invalidateFile(client, fileId);
    } catch (error) {
      setIsRestoring(false);
      toasts.showError(t("notRestored", { reason: formatErrorReason(error) }));
    }
  }
  return (
    <EmptyState
      icon={<Trash2 size={22} aria-hidden />}
      title={t("fileDeleted", { name })}
      actions={
        <>
          {!isArchived && (
            <Button variant="primary" pending={isRestoring} onClick={() => void restore()}>
              {t("restore")}
            </Button>
          )}
          <Link to={`/projects/${project_id}/files/deleted`} className={buttonClasses("secondary")}>
            {t("title")}
          </Link>
        </>
      }
    >
      {t("fileDeletedHelp", {
        who: (deleted_by_account_id !== null && personOf(deleted_by_account_id)?.name) || t("formerMember"),
        when: formatDayTime(deleted_at, now),
        until: formatDayTime(restorable_until, now),
      })}
    </EmptyState>
  );
}
