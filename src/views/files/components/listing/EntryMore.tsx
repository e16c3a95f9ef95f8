import { MoreHorizontal } from "lucide-react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { iconButtonClasses } from "../../../../ui/IconButton.tsx";

/** Renders the menu button of an entry. The list handles its press. With a mouse, the button is visible only on hover or focus. */
export function EntryMenuButton({ entry: { name }, tabIndex, className }: { entry: FileEntry; tabIndex: number; className?: string }) {
  return (
    <button
      type="button"
      data-act="menu"
      tabIndex={tabIndex}
      aria-haspopup="menu"
      aria-label={t("more", { name })}
      title={t("more", { name })}
      className={classes(
        iconButtonClasses,
        "pointer-fine:opacity-0 pointer-fine:group-hover/row:opacity-100 pointer-fine:group-focus-within/row:opacity-100",
        className,
      )}
    >
      <MoreHorizontal size={18} aria-hidden />
    </button>
  );
}
