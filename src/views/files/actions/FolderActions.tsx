import { FileUp, FolderPlus, FolderUp, Plus } from "lucide-react";
import { t } from "../../../lib/texts/file-actions.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { useFileActionsContext } from "../actions-context.ts";

/** Renders the menu that adds files and folders to the open folder. */
export function FolderActions() {
  const { newFolder, chooseFiles, chooseFolder, uploadDisabledReason } = useFileActionsContext();
  const disabledReason = uploadDisabledReason ?? undefined;
  return (
    <Menu
      label={t("add")}
      trigger={
        <>
          <Plus size={16} aria-hidden />
          {t("add")}
        </>
      }
      triggerClassName={buttonClasses("primary")}
      align="end"
    >
      <MenuItem icon={<FileUp size={16} aria-hidden />} disabledReason={disabledReason} onSelect={chooseFiles}>
        {t("uploadFiles")}
      </MenuItem>
      <MenuItem icon={<FolderUp size={16} aria-hidden />} disabledReason={disabledReason} onSelect={chooseFolder}>
        {t("uploadFolder")}
      </MenuItem>
      <MenuItem icon={<FolderPlus size={16} aria-hidden />} disabledReason={disabledReason} onSelect={newFolder}>
        {t("newFolder")}
      </MenuItem>
    </Menu>
  );
}

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
