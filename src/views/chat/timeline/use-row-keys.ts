import { useState, type FocusEvent, type KeyboardEvent, type RefObject } from "react";
import type { Message } from "../../../../contract/records.ts";
import { type AnchorRect, anchorRectOf } from "../../../ui/Floating.tsx";
import { type ChatUser, useChat } from "../chat-context.ts";
import { canDeleteMessage, canEditMessage } from "../message/use-message-actions.ts";
import { indexOfMessage, type Row } from "./rows.ts";

interface Input {
  rows: readonly Row[];
  scroller: RefObject<HTMLDivElement | null>;
  /** Scrolls to a row that is not rendered yet. */
  showRow(row: Row): void;
  /** Called when a key scrolls up, so that row measurements do not scroll back to the end. */
  onUserScrollUp(): void;
  onEscape(): void;
}

/** Frames to wait for a row that is not rendered yet. */
const MAX_FRAMES = 20;
/** Fraction of the view's height by which Page Up and Page Down scroll, so that a part of the previous page stays in view. */
const PAGE_FRACTION = 0.875;

/** Moves between messages and acts on one by keyboard, only while the focus is in the timeline. */
export function useRowKeys({ rows, scroller, showRow, onUserScrollUp, onEscape }: Input) {
  const { user } = useChat();
  const [lastFocusedId, setLastFocusedId] = useState<number | null>(null);
  const [isFocusInside, setIsFocusInside] = useState(false);
  const findElement = (id: number) => scroller.current?.querySelector<HTMLElement>(`[data-message="${id}"]`) ?? null;
  const lastFocusedIndex = lastFocusedId === null ? -1 : indexOfMessage(rows, lastFocusedId);
  const index = lastFocusedIndex >= 0 ? lastFocusedIndex : rows.findLastIndex(({ kind }) => kind === "message");
  const currentRow = rows[index];
  const currentMessage = currentRow?.kind === "message" ? currentRow.message : null;

  function focusRow(row: Row | undefined, framesLeft = MAX_FRAMES): void {
    if (row?.kind !== "message") return;
    const element = findElement(row.message.id);
    if (!element) {
      if (framesLeft === MAX_FRAMES) showRow(row);
      if (framesLeft > 0) requestAnimationFrame(() => focusRow(row, framesLeft - 1));
      return;
    }
    const previousScrollTop = scroller.current?.scrollTop ?? 0;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
    if ((scroller.current?.scrollTop ?? 0) < previousScrollTop) onUserScrollUp();
  }

  function lowestVisibleRow(): Row | undefined {
    const viewport = scroller.current?.getBoundingClientRect();
    const lowestElement = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-message][role=article]") ?? [])].findLast(
      (element) => viewport !== undefined && element.getBoundingClientRect().top < viewport.bottom - 8,
    );
    return lowestElement ? rows[indexOfMessage(rows, Number(lowestElement.dataset["message"]))] : undefined;
  }

  /** Scrolls instantly, because row measurements on the way would end the browser's smooth scroll. Returns whether the key scrolls. */
  function scrollByKey(key: string): boolean {
    const view = scroller.current;
    if (!view) return false;
    const top = scrollTopForKey(key, view);
    if (top === null) return false;
    if (top < view.scrollTop) onUserScrollUp();
    view.scrollTo({ top, behavior: "instant" });
    return true;
  }

  function moveFocus(step: 1 | -1): void {
    const nextIndex =
      step > 0
        ? rows.findIndex(({ kind }, rowIndex) => rowIndex > index && kind === "message")
        : rows.slice(0, index).findLastIndex(({ kind }) => kind === "message");
    focusRow(rows[nextIndex]);
  }

  /** Returns whether the key ran an action. */
  function runShortcut(event: KeyboardEvent, element: HTMLElement): boolean {
    if (!currentMessage) return false;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const getMenuAnchor = () => anchorRectOf(element.querySelector("[id^=message-text-]") ?? element);
    if (key === "ArrowUp" || key === "k") moveFocus(-1);
    else if (key === "ArrowDown" || key === "j") moveFocus(1);
    else return user !== null && runAction(user, currentMessage, key, getMenuAnchor);
    return true;
  }

  /** Returns whether the key ran an action of the signed-in user. */
  function runAction(chatUser: ChatUser, message: Message, key: string, getMenuAnchor: () => AnchorRect): boolean {
    const { actions, canReply, hasMessageActions, favoriteIds } = chatUser;
    if (key === "r" && canReply) actions.reply(message);
    else if (key === "f" && favoriteIds && !message.deleted) actions.toggleFavorite(message);
    else if (key === "c") actions.copyLink(message);
    else if (key === "u" && hasMessageActions) actions.markUnread(message);
    else if (key === "+" && hasMessageActions) actions.openEmoji(message, getMenuAnchor());
    else if (key === "Enter") actions.openMenu(message, getMenuAnchor());
    else if (key === "e" && canEditMessage(message, chatUser)) actions.edit(message);
    else if ((key === "Delete" || key === "Backspace") && canDeleteMessage(message, chatUser)) {
      // The focus moves to a neighboring row, because this row disappears.
      moveFocus(rows.slice(index + 1).some(({ kind }) => kind === "message") ? 1 : -1);
      actions.remove(message);
    } else return false;
    return true;
  }

  return {
    /** The message in the tab order. */
    currentId: currentMessage?.id ?? null,
    /** Index of the row that must stay rendered while it has the focus. */
    focusedIndex: isFocusInside && lastFocusedIndex >= 0 ? lastFocusedIndex : null,
    onFocus({ target }: FocusEvent) {
      const id = target.closest<HTMLElement>("[data-message]")?.dataset["message"];
      if (id) setLastFocusedId(Number(id));
      setIsFocusInside(id !== undefined);
    },
    onBlur({ relatedTarget, currentTarget }: FocusEvent) {
      if (!currentTarget.contains(relatedTarget)) setIsFocusInside(false);
    },
    /** Returns whether the key was handled. */
    onKeyDown(event: KeyboardEvent): boolean {
      const { target, currentTarget, key } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return false;
      // A dialog or menu opened from a row handles its own keys.
      if (!currentTarget.contains(target)) return false;
      const isTimeline = target === currentTarget;
      const isMessage = target.matches("[data-message][role=article]");
      let isHandled = false;
      if (isTimeline) {
        isHandled = key === "ArrowUp" || key === "ArrowDown" || key === "j" || key === "k";
        if (isHandled) focusRow(lowestVisibleRow());
      } else if (isMessage) isHandled = runShortcut(event, target);
      if (!isHandled && !target.matches("textarea, input")) {
        // On a button inside a message, Space presses the button.
        const isSpaceScroll = key === " " && (isTimeline || isMessage);
        isHandled = scrollByKey(isSpaceScroll ? (event.shiftKey ? "PageUp" : "PageDown") : key);
      }
      if (!isHandled && key === "Escape" && !target.matches("textarea, input")) {
        onEscape();
        isHandled = true;
      }
      if (isHandled) event.preventDefault();
      return isHandled;
    },
  };
}

/** Returns the scroll position to which a key leads, in pixels; null for other keys. */
function scrollTopForKey(key: string, { scrollTop, scrollHeight, clientHeight }: HTMLElement): number | null {
  const page = clientHeight * PAGE_FRACTION;
  return { Home: 0, End: scrollHeight, PageUp: Math.max(0, scrollTop - page), PageDown: scrollTop + page }[key] ?? null;
}
