import { Ellipsis, X } from "lucide-react";
import { useRef } from "react";
import { t as tFiles } from "../../../../lib/messages/files.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { iconButtonClasses, IconButton } from "../../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import { useWidth } from "../../../../ui/use-width.ts";
import type { Action } from "../../model/offers.ts";
import { clear } from "../../model/selection.ts";
import { useFilesRoom } from "../files-room.ts";
import { useActionsRoom } from "./actions-room.ts";
import { ACTION_ICONS, actionName } from "./offer-words.tsx";

/** What stands in the bar first where there is room, in this order; the rest is in its menu. */
const FIRST: readonly Action[] = ["download", "move", "delete", "status", "rename", "versions"];
const BUTTON = 36;
const COUNT = 190;

/** What one does with what is selected; it stands beside search and filter, on a phone in their place. */
export function SelectionBar() {
  const { selected, select } = useFilesRoom();
  const { offers, run } = useActionsRoom();
  const box = useRef<HTMLDivElement>(null);
  const places = Math.max(2, Math.floor((useWidth(box) - COUNT) / BUTTON));
  const all = offers(selected);
  const near = FIRST.flatMap((action) => all.find((one) => one.action === action) ?? []).slice(0, places);
  const others = all.filter((one) => !near.includes(one));
  return (
    <div
      ref={box}
      role="toolbar"
      aria-label={t("actions")}
      data-keeps-list
      className="flex h-11 shrink-0 items-center gap-1 bg-accent-soft px-2 tablet:h-8 tablet:min-w-75 tablet:flex-2 tablet:rounded-md tablet:px-1"
    >
      <IconButton label={tFiles("clearSelection")} onClick={() => select(clear)}>
        <X size={18} aria-hidden />
      </IconButton>
      <span role="status" className="tabular min-w-0 flex-1 truncate font-medium">
        {tFiles("selected", { count: selected.length })}
      </span>
      {near.map(({ action, refusal }) => {
        const Icon = ACTION_ICONS[action];
        const name = actionName(action, selected);
        return (
          // Where it cannot be done, pressing it says why.
          <IconButton
            key={action}
            label={name}
            title={refusal ?? name}
            aria-disabled={refusal !== null || undefined}
            onClick={() => run(action, selected)}
            className={refusal === null ? undefined : "opacity-50"}
          >
            <Icon size={18} aria-hidden />
          </IconButton>
        );
      })}
      {others.length > 0 && (
        <Menu label={t("more")} trigger={<Ellipsis size={18} aria-hidden />} triggerClass={iconButtonClasses} align="end">
          {others.map(({ action, refusal }) => {
            const Icon = ACTION_ICONS[action];
            return (
              <MenuItem
                key={action}
                icon={<Icon size={16} aria-hidden />}
                disabledReason={refusal ?? undefined}
                onSelect={() => requestAnimationFrame(() => run(action, selected))}
              >
                {actionName(action, selected)}
              </MenuItem>
            );
          })}
        </Menu>
      )}
    </div>
  );
}
