import { useState, type FocusEvent, type KeyboardEvent, type RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import { spotOf } from "../../../ui/Floating.tsx";
import { mayDelete, mayEdit } from "../model/message-rights.ts";
import { indexOfMessage, type Row } from "../model/rows.ts";
import { useChatRoom } from "./chat-room.ts";

interface Input {
  rows: readonly Row[];
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  /** The view goes up: what is measured meanwhile must not pull it back. */
  onLeave(): void;
  onEscape(): void;
}

/** Frames to wait for a row that is not drawn yet. */
const PATIENCE = 20;

/** Moving between messages and acting on one by the keyboard. The keys hold only while the focus is in the timeline. */
export function useRowKeys({ rows, scroller, list, onLeave, onEscape }: Input) {
  const room = useChatRoom();
  const [last, setLast] = useState<number | null>(null);
  const [inside, setInside] = useState(false);
  const elementOf = (id: number) => scroller.current?.querySelector<HTMLElement>(`[data-message="${id}"]`) ?? null;
  const known = last === null ? -1 : indexOfMessage(rows, last);
  const index = known >= 0 ? known : rows.findLastIndex(({ kind }) => kind === "message");
  const at = rows[index];
  const current = at?.kind === "message" ? at.message : null;

  function focusRow(row: Row | undefined, patience = PATIENCE): void {
    if (row?.kind !== "message") return;
    const element = elementOf(row.message.id);
    if (!element) {
      list.current?.scrollToIndex(rows.indexOf(row), { align: "nearest" });
      if (patience > 0) requestAnimationFrame(() => focusRow(row, patience - 1));
      return;
    }
    const before = scroller.current?.scrollTop ?? 0;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
    if ((scroller.current?.scrollTop ?? 0) < before) onLeave();
  }

  /** The lowest message that is in view. */
  function lowest(): Row | undefined {
    const view = scroller.current?.getBoundingClientRect();
    const seen = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-message][role=article]") ?? [])].findLast(
      (element) => view !== undefined && element.getBoundingClientRect().top < view.bottom - 8,
    );
    return seen ? rows[indexOfMessage(rows, Number(seen.dataset["message"]))] : undefined;
  }

  /** At once: what is measured on the way would end the browser's own smooth way there. */
  function toEdge(key: "Home" | "End"): void {
    if (key === "End") return scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: "instant" });
    onLeave();
    // By the list, which otherwise goes on toward the place that the chat was opened at.
    list.current?.scrollTo(0);
  }

  function move(step: 1 | -1): void {
    const next =
      step > 0
        ? rows.findIndex(({ kind }, place) => place > index && kind === "message")
        : rows.slice(0, index).findLastIndex(({ kind }) => kind === "message");
    focusRow(rows[next]);
  }

  /** Answers whether the key did something. */
  function act(event: KeyboardEvent, element: HTMLElement): boolean {
    if (!current) return false;
    const { act: do_ } = room;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const spot = () => spotOf(element.querySelector("[id^=words]") ?? element);
    if (key === "ArrowUp" || key === "k") move(-1);
    else if (key === "ArrowDown" || key === "j") move(1);
    else if (key === "r") do_.reply(current);
    else if (key === "c") do_.copyLink(current);
    else if (key === "u") do_.markUnread(current);
    else if (key === "+") do_.openEmoji(current, spot());
    else if (key === "Enter") do_.openMenu(current, spot());
    else if (key === "e" && mayEdit(current, room)) do_.edit(current);
    else if ((key === "Delete" || key === "Backspace") && mayDelete(current, room)) {
      // The focus goes on to the neighbor, since the row goes.
      move(rows.slice(index + 1).some(({ kind }) => kind === "message") ? 1 : -1);
      do_.remove(current);
    } else return false;
    return true;
  }

  return {
    /** The message that Tab leads to. */
    current: current?.id ?? null,
    /** Its row must stay drawn while it has the focus. */
    held: inside && known >= 0 ? known : null,
    onFocus({ target }: FocusEvent) {
      const id = target.closest<HTMLElement>("[data-message]")?.dataset["message"];
      if (id) setLast(Number(id));
      setInside(id !== undefined);
    },
    onBlur({ relatedTarget, currentTarget }: FocusEvent) {
      if (!currentTarget.contains(relatedTarget)) setInside(false);
    },
    /** Answers whether the key was taken. */
    onKeyDown(event: KeyboardEvent): boolean {
      const { target, currentTarget, key } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return false;
      // A viewer or menu that was opened from a row has keys of its own.
      if (target.closest("dialog, [popover]") !== null) return false;
      let taken = false;
      if (target === currentTarget) {
        taken = key === "ArrowUp" || key === "ArrowDown" || key === "j" || key === "k";
        if (taken) focusRow(lowest());
      } else if (target.matches("[data-message][role=article]")) taken = act(event, target);
      if (!taken && (key === "Home" || key === "End") && !target.matches("textarea, input")) {
        toEdge(key);
        taken = true;
      }
      if (!taken && key === "Escape" && !target.matches("textarea, input")) {
        onEscape();
        taken = true;
      }
      if (taken) event.preventDefault();
      return taken;
    },
  };
}
