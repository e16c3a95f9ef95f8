import type { MouseEvent } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { spotOf } from "../../../../ui/Floating.tsx";
import { useLongPress } from "../../../../ui/use-long-press.ts";
import { clear, press, type Keys } from "../../model/selection.ts";
import { useFilesRoom } from "../files-room.ts";
import { usePlay } from "./use-play.ts";

/** What has a press of its own. */
const CONTROLS = "button, input, select, textarea, [popover], dialog";

/** Pressing and touching rows, listened to once for all of them. A finger opens; resting, it selects, and then taps select too. */
export function useListingPointer() {
  const room = useFilesRoom();
  const play = usePlay();
  const entryAt = (target: EventTarget | null): FileEntry | undefined => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-entry]") : null;
    return row ? room.entries.find(({ id }) => id === Number(row.dataset["entry"])) : undefined;
  };
  const choose = (entry: FileEntry, keys: Keys) => {
    const order = room.entries.map(({ id }) => id);
    room.select((now) => press(now, order, entry.id, keys));
  };
  const byTouch = ({ nativeEvent }: MouseEvent) => (nativeEvent as PointerEvent).pointerType === "touch";
  const keysOf = ({ shiftKey, ctrlKey, metaKey }: MouseEvent): Keys => ({ range: shiftKey, toggle: ctrlKey || metaKey });

  const longPress = useLongPress(({ clientX, clientY }) => {
    const entry = entryAt(document.elementFromPoint(clientX, clientY));
    if (!entry) return;
    navigator.vibrate?.(10);
    choose(entry, { toggle: true });
  });

  return {
    ...longPress,
    onClick(event: MouseEvent) {
      const target = event.target as Element;
      const entry = entryAt(target);
      if (!entry) {
        if (!target.closest(`${CONTROLS}, [role=columnheader]`)) room.select(clear);
        return;
      }
      const act = target.closest<HTMLElement>("[data-act]")?.dataset["act"];
      if (act === "toggle") return choose(entry, { toggle: true, range: event.shiftKey });
      if (act === "menu") return room.openMenu(entry, spotOf(target.closest("[data-act]")!));
      if (act === "play") return play(entry);
      if (target.closest(CONTROLS)) return;
      const keys = keysOf(event);
      const selecting = byTouch(event) && room.selection.ids.size > 0;
      if (target.closest("a") && !keys.range && !keys.toggle && !selecting) return;
      event.preventDefault();
      if (selecting) choose(entry, { toggle: true });
      else if (byTouch(event)) room.open(entry);
      else choose(entry, keys);
    },
    onDoubleClick(event: MouseEvent) {
      const entry = entryAt(event.target);
      if (entry && !(event.target as Element).closest(`${CONTROLS}, a`)) room.open(entry);
    },
    onContextMenu(event: MouseEvent) {
      const entry = entryAt(event.target);
      if (!entry || (event.target as Element).closest("[popover], dialog")) return;
      event.preventDefault();
      // A finger that rests selects.
      if (!byTouch(event)) room.openMenu(entry, spotOf(event));
    },
  };
}
