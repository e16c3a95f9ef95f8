import type { MouseEvent } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { usePlayer } from "../../../audio/player/use-player.ts";
import { t } from "../../../lib/texts/files.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useFetchFileInfo } from "../../../queries/files/use-file.ts";
import { announce } from "../../../ui/announce.ts";
import { anchorRectOf } from "../../../ui/Floating.tsx";
import { useLongPress } from "../../../ui/use-long-press.ts";
import { useFilesContext } from "../files-context.ts";
import { clearSelection, type Modifiers, pressRow } from "../selection.ts";
import { playEntry } from "./play-entry.ts";

/** Elements that handle their own presses. */
const CONTROL_SELECTOR = "button, input, select, textarea";

/** Handles presses and touches for all rows. A tap opens an entry, a long press selects it, and while anything is selected, taps toggle entries. */
export function useListingPointer() {
  const context = useFilesContext();
  const play = usePlayEntry();
  const entryAt = (target: EventTarget | null): FileEntry | undefined => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-entry]") : null;
    return row ? context.entries.find(({ id }) => id === Number(row.dataset["entry"])) : undefined;
  };
  const pressEntry = (entry: FileEntry, modifiers: Modifiers) => {
    const order = context.entries.map(({ id }) => id);
    context.select((selection) => pressRow(selection, order, entry.id, modifiers));
  };
  const isTouch = ({ nativeEvent }: MouseEvent) => (nativeEvent as PointerEvent).pointerType === "touch";
  const modifiersOf = ({ shiftKey, ctrlKey, metaKey }: MouseEvent): Modifiers => ({ isRange: shiftKey, isToggle: ctrlKey || metaKey });

  const longPress = useLongPress(({ clientX, clientY }) => {
    const entry = entryAt(document.elementFromPoint(clientX, clientY));
    if (!entry) return;
    navigator.vibrate?.(10);
    pressEntry(entry, { isToggle: true });
  });

  return {
    ...longPress,
    onClick(event: MouseEvent) {
      const target = event.target as Element;
      // A menu or dialog of a row is elsewhere in the document.
      if (!event.currentTarget.contains(target)) return;
      const entry = entryAt(target);
      if (!entry) {
        if (!target.closest(`${CONTROL_SELECTOR}, [role=columnheader]`)) context.select(clearSelection);
        return;
      }
      const action = target.closest<HTMLElement>("[data-action]")?.dataset["action"];
      if (action === "toggle") return pressEntry(entry, { isToggle: true, isRange: event.shiftKey });
      if (action === "menu") return context.openMenu(entry, anchorRectOf(target.closest("[data-action]")!));
      if (action === "play") return play(entry);
      if (target.closest(CONTROL_SELECTOR)) return;
      const modifiers = modifiersOf(event);
      const isTouchSelecting = isTouch(event) && context.selection.ids.size > 0;
      if (target.closest("a") && !modifiers.isRange && !modifiers.isToggle && !isTouchSelecting) return;
      event.preventDefault();
      if (isTouchSelecting) pressEntry(entry, { isToggle: true });
      else if (isTouch(event)) context.open(entry);
      else pressEntry(entry, modifiers);
    },
    onDoubleClick(event: MouseEvent) {
      const entry = entryAt(event.target);
      if (entry && !(event.target as Element).closest(`${CONTROL_SELECTOR}, a`)) context.open(entry);
    },
    onContextMenu(event: MouseEvent) {
      const entry = entryAt(event.target);
      if (!entry) return;
      event.preventDefault();
      // A long press selects instead of opening the menu.
      if (!isTouch(event)) context.openMenu(entry, anchorRectOf(event));
    },
  };
}

/** Returns a function that plays or pauses an entry's audio, and announces why it does not play. */
function usePlayEntry() {
  const player = usePlayer();
  const fetchInfo = useFetchFileInfo();
  return (entry: FileEntry) => {
    playEntry(player, entry, fetchInfo).catch((error: unknown) => announce(t("notPlayed", { name: entry.name, reason: describeError(error).title })));
  };
}
