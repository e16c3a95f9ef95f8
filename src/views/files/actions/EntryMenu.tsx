import type { FileEntry } from "../../../../contract/file-records.ts";
import { t } from "../../../lib/texts/files.ts";
import type { AnchorRect } from "../../../ui/Floating.tsx";
import { ContextMenu, MenuItem } from "../../../ui/Menu.tsx";
import { useFileActionsContext } from "../actions-context.ts";
import { useFilesContext } from "../files-context.ts";
import { ACTION_ICONS, actionName, type AvailableAction } from "./available-actions.tsx";

interface Props {
  entry: FileEntry;
  anchor: AnchorRect;
  onClose(): void;
}

/** Renders all actions for an entry, or for the whole selection if the entry is part of it. */
export function EntryMenu({ entry, anchor, onClose }: Props) {
  const { selectedEntries } = useFilesContext();
  const { getAvailableActions } = useFileActionsContext();
  const entries = selectedEntries.some(({ id }) => id === entry.id) ? selectedEntries : [entry];
  return (
    <ContextMenu label={t("menuOf", { name: entry.name })} anchor={anchor} onClose={onClose} className="w-60">
      <ActionItems availableActions={getAvailableActions(entries)} entries={entries} />
    </ContextMenu>
  );
}

/** Renders actions as menu items. */
export function ActionItems({ availableActions, entries }: { availableActions: readonly AvailableAction[]; entries: readonly FileEntry[] }) {
  const { run } = useFileActionsContext();
  return availableActions.map(({ action, disabledReason }) => {
    const Icon = ACTION_ICONS[action];
    return (
      <MenuItem
        key={action}
        icon={<Icon size={16} aria-hidden />}
        danger={action === "delete"}
        disabledReason={disabledReason ?? undefined}
        onSelect={() => run(action, entries)}
      >
        {actionName(action, entries)}
      </MenuItem>
    );
  });
}
