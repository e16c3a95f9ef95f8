import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from "react";
import { mergeProps } from "react-aria/mergeProps";
import { useGridListItem } from "react-aria/useGridList";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { t } from "../../../lib/texts/files.ts";
import { anchorRectOf } from "../../../ui/Floating.tsx";
import { useEntryDrag, useEntryDrop } from "../actions/drag-and-drop.tsx";
import { formatAccessibleLabel } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { DragHandle } from "./entry-controls.tsx";
import type { EntryHandlers } from "./use-entry-handlers.ts";

/** What a row or tile gets from the grid around it. */
export interface EntryItemProps {
  entry: FileEntry;
  /** True for the item in the tab order. */
  isTabStop: boolean;
  handlers: EntryHandlers;
  /** True if anything is selected, so that every checkbox is visible. */
  hasSelection: boolean;
  /** The folder path of a search result; null in a folder's own listing. */
  path: string | null;
}

const isTouch = ({ nativeEvent }: MouseEvent) => (nativeEvent as globalThis.PointerEvent).pointerType === "touch";

/** Returns the props of a row or tile: its focus, keys, presses, and drag and drop. A tap opens an entry, a long press selects it. */
export function useEntryItem({ entry, isTabStop, handlers }: Pick<EntryItemProps, "entry" | "isTabStop" | "handlers">, uploader?: string) {
  const { selection, selectedEntries, openMenu } = useFilesContext();
  const { state, manager, collection } = selection;
  const ref = useRef<HTMLDivElement>(null);
  const { rowProps } = useGridListItem({ node: collection.getItem(entry.id)!, shouldSelectOnPressUp: true }, state, ref);
  const { dragProps, dragButtonProps } = useEntryDrag(() => (manager.isSelected(entry.id) ? selectedEntries : [entry]));
  const dropProps = useEntryDrop(ref, entry);
  const itemProps = mergeProps(rowProps, dragProps, dropProps, {
    onPointerDownCapture({ pointerType, shiftKey, ctrlKey, metaKey }: PointerEvent) {
      selection.setRangeMode({ isOnly: shiftKey && !ctrlKey && !metaKey, start: null });
      // While anything is selected, taps select.
      manager.setSelectionBehavior(pointerType !== "mouse" && !manager.isEmpty ? "toggle" : "replace");
    },
    onContextMenu(event: MouseEvent) {
      event.preventDefault();
      // A long press selects instead of opening the menu.
      if (!isTouch(event)) openMenu(entry, anchorRectOf(event));
    },
  });
  const isSelected = manager.isSelected(entry.id);
  const now = useServiceTime();
  return {
    isSelected,
    /** Only in the row in the tab order, since every other row would need another tab stop. */
    dragHandle: isTabStop && <DragHandle {...dragButtonProps} label={t("drag", { count: isSelected ? selectedEntries.length : 1, name: entry.name })} />,
    itemProps: {
      ...itemProps,
      ref,
      "data-entry": entry.id,
      "aria-label": formatAccessibleLabel(entry, now, uploader),
      tabIndex: isTabStop ? (0 as const) : (-1 as const),
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        handlers.onKeyDown(event, entry);
        // With Ctrl or Alt, Enter does not open the entry.
        const isModifiedEnter = event.key === "Enter" && event.target === event.currentTarget;
        if (!event.isPropagationStopped() && !isModifiedEnter) rowProps.onKeyDown?.(event);
      },
    },
  };
}
