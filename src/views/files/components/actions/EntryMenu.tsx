import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/files.ts";
import { Floating, type Spot } from "../../../../ui/Floating.tsx";
import { MenuItem } from "../../../../ui/Menu.tsx";
import { onMenuKey } from "../../../../ui/menu-keys.ts";
import type { Action } from "../../model/offers.ts";
import { useFilesRoom } from "../files-room.ts";
import { useActionsRoom } from "./actions-room.ts";
import { ACTION_ICONS, actionName } from "./offer-words.tsx";

interface Props {
  entry: FileEntry;
  at: Spot;
  onClose(): void;
}

/** Everything that can be done with an entry, or with all that are selected together with it. */
export function EntryMenu({ entry, at, onClose }: Props) {
  const { selected } = useFilesRoom();
  const { offers, run } = useActionsRoom();
  const entries = selected.some(({ id }) => id === entry.id) ? selected : [entry];
  // Closed first: it gives the focus back to where it was, and what is chosen may take it from there.
  const choose = (action: Action) => () => {
    onClose();
    requestAnimationFrame(() => run(action, entries));
  };
  return (
    <Floating
      label={t("menuOf", { name: entry.name })}
      at={at}
      role="menu"
      onClose={onClose}
      onKeyDown={(event) => (event.key === "Tab" ? onClose() : onMenuKey(event, event.currentTarget as HTMLElement))}
      className="w-60 p-1 max-tablet:p-2"
    >
      {offers(entries).map(({ action, refusal }) => {
        const Icon = ACTION_ICONS[action];
        return (
          <MenuItem
            key={action}
            icon={<Icon size={16} aria-hidden />}
            danger={action === "delete"}
            disabledReason={refusal ?? undefined}
            onSelect={choose(action)}
          >
            {actionName(action, entries)}
          </MenuItem>
        );
      })}
    </Floating>
  );
}
