import { useClient } from "../../../client/client.ts";
import { t } from "../../../lib/texts/uploads.ts";
import { useSession } from "../../../queries/session.ts";
import type { CommentDraftTarget } from "../../../sync/uploads/upload.ts";
import { useUploadDisabledReason, useUploadTray } from "../../../sync/uploads/use-uploads.ts";
import { announce } from "../../../ui/announce.ts";
import { useToasts } from "../../../ui/toast.ts";

export type CommentFiles = ReturnType<typeof useCommentFiles>;

/** Manages the files that will be sent with an unsent comment or reply. */
export function useCommentFiles(projectId: number, draft: CommentDraftTarget) {
  const { id: accountId } = useSession().account;
  const tray = useUploadTray(accountId, projectId, draft);
  const disabledReason = useUploadDisabledReason();
  const toasts = useToasts();
  const { cancel } = useClient().uploads;
  return {
    uploads: tray.uploads,
    /** Why files cannot be attached; null if they can. */
    disabledReason,
    /** Adds files; shows why it does not. */
    add(files: readonly File[], folderCount = 0) {
      const rejection = disabledReason ?? (folderCount > 0 ? t("foldersNotSupported") : null);
      if (rejection !== null) toasts.show({ text: rejection, tone: "danger" });
      if (files.length === 0 || disabledReason !== null) return;
      tray.add(files);
      announce(t("addedAnnouncement", { count: files.length }));
    },
    /** Removes all files, here and on the service. */
    discard: () => cancel(...tray.uploads.map(({ id }) => id)),
  };
}
