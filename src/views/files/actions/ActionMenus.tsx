import { Ellipsis, FileUp, FolderPlus, FolderUp, Plus } from "lucide-react";
import { useRef } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { t as tFiles } from "../../../lib/texts/files.ts";
import { useStatusAfterNewVersion } from "../../../queries/statuses/use-statuses.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import type { AnchorRect } from "../../../ui/Floating.tsx";
import { CloseButton, IconButton, iconButtonClasses } from "../../../ui/IconButton.tsx";
import { ContextMenu, Menu, MenuItem } from "../../../ui/Menu.tsx";
import { useWidth } from "../../../ui/responsive.ts";
import { useFileActionsContext } from "../actions-context.ts";
import { useFilesContext } from "../files-context.ts";
import { type Action, ACTION_ICONS, actionName, type AvailableAction } from "./available-actions.tsx";

/** Actions shown as buttons if they fit, in this order. The rest are in the menu. */
const PRIMARY_ACTIONS: readonly Action[] = ["download", "move", "delete", "status", "rename", "versions"];
const BUTTON_WIDTH_PX = 36;
const COUNT_WIDTH_PX = 190;

/** Renders the actions for the selection, beside search and filter or, on a phone, in their place. */
export function SelectionBar() {
  const { selectedEntries, selection } = useFilesContext();
  const { getAvailableActions, run } = useFileActionsContext();
  const container = useRef<HTMLDivElement>(null);
  const maxButtons = Math.max(2, Math.floor((useWidth(container) - COUNT_WIDTH_PX) / BUTTON_WIDTH_PX));
  const availableActions = getAvailableActions(selectedEntries);
  const primaryActions = PRIMARY_ACTIONS.flatMap((action) => availableActions.find((candidate) => candidate.action === action) ?? []).slice(0, maxButtons);
  const otherActions = availableActions.filter((candidate) => !primaryActions.includes(candidate));
  return (
    <div
      ref={container}
      role="toolbar"
      aria-label={t("actions")}
      data-keeps-list-focus
      className="flex h-11 shrink-0 items-center gap-1 bg-accent-soft px-2 tablet:h-8 tablet:min-w-75 tablet:flex-2 tablet:rounded-md tablet:px-1"
    >
      <CloseButton label={tFiles("clearSelection")} onClick={() => selection.manager.clearSelection()} />
      <span role="status" className="tabular min-w-0 flex-1 truncate font-medium">
        {tFiles("selected", { count: selectedEntries.length })}
      </span>
      {primaryActions.map(({ action, disabledReason }) => {
        const Icon = ACTION_ICONS[action];
        const name = actionName(action, selectedEntries);
        return (
          // A disabled action stays clickable and then shows the reason.
          <IconButton
            icon={Icon}
            key={action}
            label={name}
            tooltip={disabledReason ?? undefined}
            aria-disabled={disabledReason !== null || undefined}
            onClick={() => run(action, selectedEntries)}
            className={disabledReason === null ? undefined : "opacity-50"}
          />
        );
      })}
      {otherActions.length > 0 && (
        <Menu label={t("more")} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
          <ActionItems availableActions={otherActions} entries={selectedEntries} />
        </Menu>
      )}
    </div>
  );
}

/** Renders all actions for an entry, or for the whole selection if the entry is part of it. */
export function EntryMenu({ entry, anchor, onClose }: { entry: FileEntry; anchor: AnchorRect; onClose(): void }) {
  const { selectedEntries } = useFilesContext();
  const { getAvailableActions } = useFileActionsContext();
  const entries = selectedEntries.some(({ id }) => id === entry.id) ? selectedEntries : [entry];
  return (
    <ContextMenu label={tFiles("menuOf", { name: entry.name })} anchor={anchor} onClose={onClose} className="w-68">
      <ActionItems availableActions={getAvailableActions(entries)} entries={entries} />
    </ContextMenu>
  );
}

/** Renders actions as menu items. */
function ActionItems({ availableActions, entries }: { availableActions: readonly AvailableAction[]; entries: readonly FileEntry[] }) {
  const { run } = useFileActionsContext();
  const statusAfter = useStatusAfterNewVersion(entries[0]?.status ?? null, useFilesContext().project.team_id);
  return availableActions.map(({ action, disabledReason }) => {
    const Icon = ACTION_ICONS[action];
    return (
      <MenuItem
        key={action}
        icon={<Icon size={16} aria-hidden />}
        danger={action === "delete"}
        hint={action === "addVersion" && statusAfter ? t("versionResetsStatus", { status: statusAfter.title }) : undefined}
        disabledReason={disabledReason ?? undefined}
        onSelect={() => run(action, entries)}
      >
        {actionName(action, entries)}
      </MenuItem>
    );
  });
}

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
