import type { FileEntry } from "../../../../contract/file-records.ts";
import { t } from "../../../lib/texts/files.ts";
import { Floating, type AnchorRect } from "../../../ui/Floating.tsx";
import { MenuItem, onMenuKey } from "../../../ui/Menu.tsx";
import { useFileActionsContext } from "../actions-context.ts";
import { useFilesContext } from "../files-context.ts";
import { type Action, ACTION_ICONS, actionName } from "./available-actions.tsx";

interface Props {
  entry: FileEntry;
  anchor: AnchorRect;
  onClose(): void;
}

/** Renders all actions for an entry, or for the whole selection if the entry is part of it. */
export function EntryMenu({ entry, anchor, onClose }: Props) {
  const { selectedEntries } = useFilesContext();
  const { getAvailableActions, run } = useFileActionsContext();
  const entries = selectedEntries.some(({ id }) => id === entry.id) ? selectedEntries : [entry];
  // The menu closes first, because closing restores the focus, and the action may then move the focus.
  const closeAndRun = (action: Action) => () => {
    onClose();
    requestAnimationFrame(() => run(action, entries));
  };
  return (
    <Floating
      label={t("menuOf", { name: entry.name })}
      anchor={anchor}
      role="menu"
      onClose={onClose}
      onKeyDown={(event) => (event.key === "Tab" ? onClose() : onMenuKey(event, event.currentTarget as HTMLElement))}
      className="w-60 p-1 max-tablet:p-2"
    >
      {getAvailableActions(entries).map(({ action, disabledReason }) => {
        const Icon = ACTION_ICONS[action];
        return (
          <MenuItem
            key={action}
            icon={<Icon size={16} aria-hidden />}
            danger={action === "delete"}
            disabledReason={disabledReason ?? undefined}
            onSelect={closeAndRun(action)}
          >
            {actionName(action, entries)}
          </MenuItem>
        );
      })}
    </Floating>
  );
}
