import { t } from "../../../../lib/messages/file-actions.ts";
import { Button } from "../../../../ui/Button.tsx";
import { useFileActionsContext } from "./actions-room.ts";

/** Renders the upload buttons of an empty folder. */
export function EmptyFolderActions() {
  const { chooseFiles, chooseFolder, uploadDisabledReason } = useFileActionsContext();
  if (uploadDisabledReason !== null) return uploadDisabledReason;
  return (
    <>
      <Button onClick={chooseFiles}>{t("uploadFiles")}</Button>
      <Button onClick={chooseFolder}>{t("uploadFolder")}</Button>
    </>
  );
}
