import { X } from "lucide-react";
import { t } from "../../../../lib/messages/files.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { clear } from "../../model/selection.ts";
import { useFilesRoom } from "../files-room.ts";

/** What one does with what is selected; it stands in the place of search and filter. */
export function SelectionBar() {
  const { selected, select } = useFilesRoom();
  return (
    <div
      role="toolbar"
      aria-label={t("selected", { count: selected.length })}
      className="flex h-11 shrink-0 items-center gap-2 bg-accent-soft px-2 tablet:px-4"
    >
      <IconButton label={t("clearSelection")} onClick={() => select(clear)}>
        <X size={18} aria-hidden />
      </IconButton>
      <span role="status" className="tabular min-w-0 flex-1 truncate font-medium">
        {t("selected", { count: selected.length })}
      </span>
    </div>
  );
}
