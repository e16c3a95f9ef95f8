import { t } from "../../../../lib/messages/file-actions.ts";
import { Button } from "../../../../ui/Button.tsx";
import { useActionsRoom } from "./actions-room.ts";

/** What one does with an empty folder. */
export function FirstFiles() {
  const { chooseFiles, chooseFolder, uploadsOff } = useActionsRoom();
  if (uploadsOff !== null) return uploadsOff;
  return (
    <>
      <Button onClick={chooseFiles}>{t("uploadFiles")}</Button>
      <Button onClick={chooseFolder}>{t("uploadFolder")}</Button>
    </>
  );
}
