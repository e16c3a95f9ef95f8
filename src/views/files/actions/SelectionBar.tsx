import { Ellipsis } from "lucide-react";
import { useRef } from "react";
import { t } from "../../../lib/texts/file-actions.ts";
import { t as tFiles } from "../../../lib/texts/files.ts";
import { CloseButton, IconButton, iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu } from "../../../ui/Menu.tsx";
import { useWidth } from "../../../ui/responsive.ts";
import { useFileActionsContext } from "../actions-context.ts";
import { useFilesContext } from "../files-context.ts";
import { type Action, ACTION_ICONS, actionName } from "./available-actions.tsx";
import { ActionItems } from "./EntryMenu.tsx";

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
            title={disabledReason ?? name}
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
