import { Ellipsis, FileUp, FolderPlus, FolderUp, Plus } from "lucide-react";
import { Fragment, useRef } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { t as tFiles } from "../../../lib/texts/files.ts";
import { useStatusAfterNewVersion } from "../../../queries/statuses/use-statuses.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import type { AnchorRect } from "../../../ui/Floating.tsx";
import { CloseButton, IconButton, iconButtonClasses } from "../../../ui/IconButton.tsx";
import { ContextMenu, Menu, MenuItem, MenuSeparator } from "../../../ui/Menu.tsx";
import { useMediaQuery, useWidth } from "../../../ui/responsive.ts";
import { useFileActionsContext } from "../actions-context.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { type Action, ACTION_ICONS, actionName, type AvailableAction } from "./available-actions.tsx";

/** Actions shown as buttons if they fit, in this order; Delete follows at the end. The rest are in the menu. */
const PRIMARY_ACTIONS: readonly Action[] = ["download", "move", "status", "rename", "versions"];
/** Wide enough for buttons with text. */
const LABELS_QUERY = "(min-width: 1100px)";
const ICON_BUTTON_WIDTH_PX = 36;
/** Widths of a button's icon with its padding, and of a character of its text. */
const LABEL_FRAME_PX = 46;
const CHARACTER_WIDTH_PX = 7.5;
/** Width of the count, the menu and the line before Delete. */
const OTHERS_WIDTH_PX = 210;

/** Renders the actions for the selection: over the header of the list, so that no row moves, or on a phone in place of search and filter. */
export function SelectionBar() {
  const { selectedEntries, selection } = useFilesContext();
  const { getAvailableActions } = useFileActionsContext();
  const container = useRef<HTMLDivElement>(null);
  const hasLabels = useMediaQuery(LABELS_QUERY);
  const width = useWidth(container);
  const availableActions = getAvailableActions(selectedEntries);
  const deletion = availableActions.find(({ action }) => action === "delete");
  const widthOf = ({ action }: AvailableAction) =>
    hasLabels ? LABEL_FRAME_PX + CHARACTER_WIDTH_PX * actionName(action, selectedEntries).length : ICON_BUTTON_WIDTH_PX;
  const primaryActions = fitting(
    PRIMARY_ACTIONS.flatMap((action) => availableActions.find((candidate) => candidate.action === action) ?? []),
    widthOf,
    width - OTHERS_WIDTH_PX - (deletion ? widthOf(deletion) : 0),
  );
  const otherActions = availableActions.filter((candidate) => candidate !== deletion && !primaryActions.includes(candidate));
  return (
    <div
      ref={container}
      role="toolbar"
      aria-label={t("actions")}
      data-keeps-list-focus
      className="flex h-11 shrink-0 items-center gap-1 [background:linear-gradient(var(--accent-soft),var(--accent-soft))_var(--surface)] px-2 tablet:absolute tablet:inset-x-0 tablet:top-0 tablet:left-10 tablet:z-3 tablet:h-9 tablet:border-b tablet:border-line tablet:px-1"
    >
      <CloseButton label={tFiles("clearSelection")} onClick={() => selection.manager.clearSelection()} />
      <span role="status" className="tabular min-w-0 flex-1 truncate font-medium">
        {tFiles("selected", { count: selectedEntries.length })}
      </span>
      {primaryActions.map((action) => (
        <ActionButton key={action.action} {...action} hasLabel={hasLabels} />
      ))}
      {otherActions.length > 0 && (
        <Menu label={t("more")} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
          <ActionItems availableActions={otherActions} entries={selectedEntries} />
        </Menu>
      )}
      {deletion && (
        <>
          <span aria-hidden className="mx-1 h-5 w-px shrink-0 bg-line-strong" />
          <ActionButton {...deletion} hasLabel={hasLabels} />
        </>
      )}
    </div>
  );
}

/** Returns the first actions, as many as fit. */
function fitting(actions: readonly AvailableAction[], widthOf: (action: AvailableAction) => number, freeWidth: number): AvailableAction[] {
  const usedWidth = (count: number) => actions.slice(0, count).reduce((sum, action) => sum + widthOf(action), 0);
  return actions.filter((_, index) => usedWidth(index + 1) <= freeWidth);
}

/** Runs an action on the selection. A disabled action stays clickable and then shows the reason. */
function ActionButton({ action, disabledReason, hasLabel }: AvailableAction & { hasLabel: boolean }) {
  const { selectedEntries } = useFilesContext();
  const { run } = useFileActionsContext();
  const Icon = ACTION_ICONS[action];
  const name = actionName(action, selectedEntries);
  const isDisabled = disabledReason !== null;
  const classes = classNames(isDisabled && "opacity-50", action === "delete" && !isDisabled && "text-danger!");
  const onClick = () => run(action, selectedEntries);
  if (!hasLabel)
    return (
      <IconButton
        icon={Icon}
        label={name}
        tooltip={disabledReason ?? undefined}
        aria-disabled={isDisabled || undefined}
        onClick={onClick}
        className={classes}
      />
    );
  return (
    <button
      type="button"
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.3 has it for all roles
      aria-description={disabledReason ?? undefined}
      data-tooltip={disabledReason ?? undefined}
      aria-disabled={isDisabled || undefined}
      onClick={onClick}
      className={classNames(buttonClasses("ghost", "sm"), classes)}
    >
      <Icon size={16} aria-hidden />
      {name}
    </button>
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

/** The keys that do the same in the list. */
const SHORTCUTS: Partial<Record<Action, string>> = { open: t("openKey"), rename: t("renameKey"), delete: t("deleteKey") };

/** Renders actions as menu items. */
function ActionItems({ availableActions, entries }: { availableActions: readonly AvailableAction[]; entries: readonly FileEntry[] }) {
  const { run } = useFileActionsContext();
  const statusAfter = useStatusAfterNewVersion(entries[0]?.status ?? null, useFilesContext().project.team_id);
  return availableActions.map(({ action, disabledReason }, index) => {
    const Icon = ACTION_ICONS[action];
    return (
      <Fragment key={action}>
        {action === "delete" && index > 0 && <MenuSeparator />}
        <MenuItem
          icon={<Icon size={16} aria-hidden />}
          danger={action === "delete"}
          hint={action === "addVersion" && statusAfter ? t("versionResetsStatus", { status: statusAfter.title }) : undefined}
          disabledReason={disabledReason ?? undefined}
          {...(SHORTCUTS[action] && { shortcut: SHORTCUTS[action] })}
          onSelect={() => run(action, entries)}
        >
          {actionName(action, entries)}
        </MenuItem>
      </Fragment>
    );
  });
}

/** Renders the menu that adds files and folders to the open folder, in Recent to the root folder. */
export function FolderActions() {
  const { folder, isRecent } = useFilesContext();
  const hint = isRecent ? t("addsTo", { folder: folderName(folder) }) : undefined;
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
      <MenuItem icon={<FileUp size={16} aria-hidden />} hint={hint} disabledReason={disabledReason} onSelect={chooseFiles}>
        {t("uploadFiles")}
      </MenuItem>
      <MenuItem icon={<FolderUp size={16} aria-hidden />} hint={hint} disabledReason={disabledReason} onSelect={chooseFolder}>
        {t("uploadFolder")}
      </MenuItem>
      <MenuItem icon={<FolderPlus size={16} aria-hidden />} hint={hint} disabledReason={disabledReason} onSelect={newFolder}>
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
