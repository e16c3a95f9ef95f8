import { type KeyboardEvent, useRef, useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { FileCommon } from "../../../../contract/records.ts";
import type { Player } from "../../../audio/player/player.ts";
import { isSameTrack } from "../../../audio/player/track.ts";
import { usePlayer } from "../../../audio/player/use-player.ts";
import { t } from "../../../lib/texts/files.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useFetchFileInfo } from "../../../queries/files/use-file.ts";
import { announce } from "../../../ui/announce.ts";
import { anchorRectOf } from "../../../ui/Floating.tsx";
import { useFileActionsContext } from "../actions-context.ts";
import { useFilesContext } from "../files-context.ts";
import { findByPrefix, type Key } from "./entry-collection.ts";
import type { useLoadAll } from "./load-all.ts";

/** Milliseconds without typing after which the next character starts a new name. */
const TYPEAHEAD_TIMEOUT_MS = 700;

/** Handlers of rows and tiles. They stay the same, so that scrolling renders only the rows that appear. */
export interface EntryHandlers {
  /** Handles a key on a row or something in it. Keys that only move the focus are left to react-aria. */
  onKeyDown(event: KeyboardEvent<HTMLElement>, entry: FileEntry): void;
  onToggle(entry: FileEntry, isRange: boolean): void;
  onMenu(entry: FileEntry, button: Element): void;
  onPlay(entry: FileEntry): void;
}

/**
 * Returns the handlers of all rows. The keys are those that react-aria lacks or handles differently. They apply while a row or tile has the focus,
 * or its checkbox, which uses only Space itself. `ShortcutsDialog` lists the keys.
 */
export function useEntryHandlers(list: ReturnType<typeof useLoadAll>): EntryHandlers {
  const context = { ...useFilesContext(), ...list, run: useFileActionsContext().run, player: usePlayer(), fetchInfo: useFetchFileInfo() };
  const latest = useRef(context);
  latest.current = context;
  const typedPrefix = useRef({ text: "", typedAt: -Infinity });

  /** Selects the row, with Shift the range up to it, and with Ctrl nothing. */
  function moveTo(key: Key | null | undefined, { shiftKey, ctrlKey, metaKey }: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): void {
    if (key === null || key === undefined) return;
    const { manager } = latest.current.selection;
    manager.setFocusedKey(key);
    if (shiftKey) manager.extendSelection(key);
    else if (!ctrlKey && !metaKey) manager.replaceSelection(key);
  }

  /** Compares the times of the key presses, because a busy page handles them later. */
  const isTyping = ({ timeStamp }: KeyboardEvent) => timeStamp - typedPrefix.current.typedAt < TYPEAHEAD_TIMEOUT_MS;
  function typeAhead(event: KeyboardEvent): void {
    const text = isTyping(event) ? typedPrefix.current.text + event.key : event.key;
    typedPrefix.current = { text, typedAt: event.timeStamp };
    // Repeating one letter moves from one name to the next.
    const prefix = [...text].every((letter) => letter === text[0]) ? text.slice(0, 1) : text;
    const id = findByPrefix(latest.current.entries, latest.current.selection.manager.focusedKey, prefix);
    moveTo(id, { shiftKey: false, ctrlKey: false, metaKey: false });
  }

  async function goToEnd({ target, shiftKey, ctrlKey, metaKey }: KeyboardEvent): Promise<void> {
    if ((await latest.current.loadAll()) === "superseded") return;
    // The user moved the focus while the entries were loading.
    if (document.activeElement === target) moveTo(latest.current.selection.collection.getLastKey(), { shiftKey, ctrlKey, metaKey });
  }

  function handleRowKey(event: KeyboardEvent, row: HTMLElement, entry: FileEntry): boolean {
    const { key, shiftKey } = event;
    const { selection, selectedEntries, open, openMenu, run, selectEverything } = latest.current;
    const { manager, collection } = selection;
    const hasModifier = event.ctrlKey || event.metaKey;
    const targets = selectedEntries.length > 0 ? selectedEntries : [entry];
    selection.setRangeMode({ isOnly: shiftKey && !hasModifier, start: entry.id });
    if (event.altKey) return false;
    if (key === "Home") moveTo(collection.getFirstKey(), event);
    else if (key === "End") void goToEnd(event);
    else if (hasModifier && key.toLowerCase() === "a") void selectEverything();
    else if (key === " " && isTyping(event)) typeAhead(event);
    else if (key === " " && shiftKey) manager.extendSelection(entry.id);
    else if (key === " ") manager.toggleSelection(entry.id);
    else if (key === "Enter" && !hasModifier) open(entry);
    else if (key === "ContextMenu" || (key === "F10" && shiftKey)) openMenu(entry, anchorRectOf(row.querySelector("[data-entry-menu]") ?? row));
    else if (key === "F2" && !hasModifier && !shiftKey) run("rename", targets);
    // On a Mac, Cmd+Backspace deletes, as in Finder.
    else if (!shiftKey && ((key === "Delete" && !hasModifier) || (key === "Backspace" && event.metaKey))) run("delete", targets);
    // "?" lists the shortcuts, "/" searches.
    else if (key.length === 1 && !hasModifier && key !== "?" && key !== "/") typeAhead(event);
    else return false;
    return true;
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>, entry: FileEntry): void {
    const { target, currentTarget: row, key } = event;
    // Keys in a menu of the row, which is elsewhere in the document, are not the row's.
    if (!(target instanceof HTMLElement) || !row.contains(target)) return event.stopPropagation();
    const isOnCheckBox = target.matches("[type=checkbox]") && key !== " ";
    if (target !== row && key === "Escape") row.focus();
    else if (target !== row && !isOnCheckBox) return;
    else if (!handleRowKey(event, row, entry)) {
      if (target === row || !/^(Arrow|Page)/.test(key)) return;
      row.focus();
      row.dispatchEvent(new KeyboardEvent("keydown", event.nativeEvent));
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const [handlers] = useState<EntryHandlers>(() => ({
    onKeyDown,
    onToggle(entry, isRange) {
      const { manager, setRangeMode } = latest.current.selection;
      setRangeMode({ isOnly: false, start: null });
      if (isRange) manager.extendSelection(entry.id);
      else manager.toggleSelection(entry.id);
      // Some browsers do not focus a pressed checkbox.
      manager.setFocusedKey(entry.id);
    },
    onMenu: (entry, button) => latest.current.openMenu(entry, anchorRectOf(button)),
    /** Plays or pauses an entry's audio, and announces why it does not play. */
    onPlay(entry) {
      const { player, fetchInfo } = latest.current;
      playEntry(player, entry, fetchInfo).catch((error: unknown) => announce(t("notPlayed", { name: entry.name, reason: describeError(error).title })));
    },
  }));
  return handlers;
}

export interface PlayableInfo {
  common: Pick<FileCommon, "compressed_file_url" | "url">;
}

/**
 * Plays or pauses an entry's audio. The file's info is fetched first, because only it has the URL of the streaming copy.
 * Whatever the user plays until the info is loaded overrides the entry.
 */
export async function playEntry(player: Player, entry: FileEntry, fetchInfo: (fileId: number) => Promise<PlayableInfo>): Promise<void> {
  const isLatestRequest = player.startRequest();
  const { track, isPlaying } = player.state();
  const entryTrack = { fileId: entry.id, version: entry.version };
  if (track && isSameTrack(track, entryTrack)) return player.toggle(track);
  const { common } = await fetchInfo(entry.id);
  const current = player.state();
  const isUnchanged = current.track?.fileId === track?.fileId && current.track?.version === track?.version;
  // The page of the entry prepares its track without playing it.
  const isReplaced = !isUnchanged && !(current.track && isSameTrack(current.track, entryTrack));
  const isResumed = current.isPlaying && !isPlaying;
  if (!isLatestRequest() || isReplaced || isResumed) return;
  player.play({
    fileId: entry.id,
    version: entry.version,
    name: entry.name,
    src: common.compressed_file_url ?? common.url,
    duration: entry.duration,
    wave: entry.wave ?? [],
    projectId: entry.project_id,
    ...(entry.thumbnail_url === null ? {} : { coverUrl: entry.thumbnail_url }),
  });
}
