import { useEffect, useEffectEvent, useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { entriesIn } from "../../../../parts/uploads/tree.ts";
import { DRAG_SILENCE_MS } from "../../../../parts/uploads/use-file-drop.ts";
import { originalOf } from "../../../../queries/file-actions/original-of.ts";
import { fileTarget, moveTarget, type DropTarget, type Under } from "../../model/drop-target.ts";
import { useFilesRoom } from "../files-room.ts";

/** Tells our own drags from files of the desktop. */
const OURS = "application/x-talkback-files";
/** What is under the pointer is drawn as chosen by the styles. */
const MARK = "dropOver";
export type Over = { what: "files"; target: DropTarget } | { what: "entries"; target: number; dragged: readonly FileEntry[] };

export interface Drops {
  /** Whether files of the desktop are taken at all. */
  takesFiles: boolean;
  onFiles(found: (FileSystemEntry | File)[], target: DropTarget): void;
  onEntries(dragged: readonly FileEntry[], folderId: number): void;
}

function isSamePlace(one: Over | null, other: Over | null): boolean {
  if (one?.what === "files" && other?.what === "files")
    return one.target.kind === "folder"
      ? other.target.kind === "folder" && one.target.id === other.target.id
      : other.target.kind === "version" && one.target.entry === other.target.entry;
  if (one?.what === "entries" && other?.what === "entries") return one.target === other.target && one.dragged === other.dragged;
  return one === other;
}

const PLACES = "[data-folder], [data-entry], [data-drop-here], [role=grid]";

/** Listens once for all of the view: rows that are dragged, and what is held over folders, files and the list. */
export function useDrops({ takesFiles, onFiles, onEntries }: Drops): Over | null {
  const { folder, tree, entries, selected } = useFilesRoom();
  const [over, setOver] = useState<Over | null>(null);
  const [dragged, setDragged] = useState<readonly FileEntry[] | null>(null);
  const scene = { here: folder.id, tree, entries };

  function placeAt(target: EventTarget | null): { element: HTMLElement; under: Under } | null {
    const element = target instanceof Element ? target.closest<HTMLElement>(PLACES) : null;
    if (!element || element.closest("dialog")) return null;
    const { folder: folderId, entry } = element.dataset;
    if (folderId !== undefined) return { element, under: { kind: "folder", id: Number(folderId) } };
    return { element, under: entry === undefined ? { kind: "here" } : { kind: "entry", id: Number(entry) } };
  }
  /** A drag that was never ended, as its row was gone, is not the next one. */
  const isOurs = (event: DragEvent) => event.dataTransfer?.types.includes(OURS) === true;
  function whereTo(event: DragEvent): { over: Over; element: HTMLElement } | null {
    const place = placeAt(event.target);
    if (!place) return null;
    if (dragged && isOurs(event)) {
      const target = moveTarget(place.under, dragged, scene);
      return target === null ? null : { over: { what: "entries", target, dragged }, element: place.element };
    }
    if (!takesFiles || isOurs(event) || !event.dataTransfer?.types.includes("Files")) return null;
    // Some browsers tell how many there are only when they are dropped.
    const target = fileTarget(place.under, scene, event.dataTransfer.items.length <= 1);
    return target && { over: { what: "files", target }, element: place.element };
  }

  const start = useEffectEvent((event: DragEvent) => {
    const row = event.target instanceof HTMLElement && event.target.matches("[data-entry], [data-folder]") ? event.target : null;
    const id = Number(row?.dataset["entry"] ?? row?.dataset["folder"]);
    const entry = entries.find((one) => one.id === id) ?? tree.get(id);
    if (!row || !entry || !event.dataTransfer || entry.parent_id === null) return;
    const moving = selected.some((one) => one.id === id) ? selected : [entry];
    setDragged(moving);
    event.dataTransfer.effectAllowed = "copyMove";
    event.dataTransfer.setData(OURS, String(moving.length));
    // Some browsers take a file out of the window by this.
    if (moving.length === 1 && !entry.is_folder)
      event.dataTransfer.setData("DownloadURL", `application/octet-stream:${entry.name}:${new URL(originalOf(entry), location.origin).href}`);
  });
  const end = useEffectEvent(() => {
    setDragged(null);
    setOver(null);
  });
  const hold = useEffectEvent((event: DragEvent): HTMLElement | null => {
    const ofRows = dragged !== null && isOurs(event);
    const ofDesktop = !ofRows && event.dataTransfer?.types.includes("Files") === true;
    if (!ofDesktop && !ofRows) return null;
    const found = whereTo(event);
    // Else the browser opens a file in place of this page.
    if (found || ofDesktop) event.preventDefault();
    event.dataTransfer!.dropEffect = found ? (ofRows ? "move" : "copy") : "none";
    const next = found?.over ?? null;
    setOver((now) => (isSamePlace(now, next) ? now : next));
    return found?.element ?? null;
  });
  const drop = useEffectEvent((event: DragEvent) => {
    const found = whereTo(event);
    if (found || event.dataTransfer?.types.includes("Files")) event.preventDefault();
    if (found?.over.what === "entries") onEntries(found.over.dragged, found.over.target);
    else if (found) onFiles(entriesIn(event.dataTransfer!), found.over.target);
    end();
  });

  useEffect(() => {
    let marked: HTMLElement | null = null;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const mark = (element: HTMLElement | null) => {
      if (marked === element) return;
      if (marked) delete marked.dataset[MARK];
      marked = element;
      if (marked) marked.dataset[MARK] = "";
    };
    const stop = () => {
      clearTimeout(silence);
      mark(null);
      end();
    };
    const onStart = (event: DragEvent) => start(event);
    const onOver = (event: DragEvent) => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        mark(null);
        setOver(null);
      }, DRAG_SILENCE_MS);
      mark(hold(event));
    };
    const onDrop = (event: DragEvent) => {
      clearTimeout(silence);
      mark(null);
      drop(event);
    };
    document.addEventListener("dragstart", onStart);
    // What is under the hand may change just before it lets go, and entering is then all that is asked.
    document.addEventListener("dragenter", onOver);
    document.addEventListener("dragover", onOver);
    document.addEventListener("drop", onDrop);
    document.addEventListener("dragend", stop);
    return () => {
      stop();
      document.removeEventListener("dragstart", onStart);
      document.removeEventListener("dragenter", onOver);
      document.removeEventListener("dragover", onOver);
      document.removeEventListener("drop", onDrop);
      document.removeEventListener("dragend", stop);
    };
  }, []);
  return over;
}
