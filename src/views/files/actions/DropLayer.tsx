import { FilePlus2, FolderInput, Upload } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { getDropEntries } from "../../../components/uploads/file-tree.ts";
import { DRAG_END_DELAY_MS } from "../../../components/uploads/use-file-drop.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { t as tFiles } from "../../../lib/texts/files.ts";
import { originalFileUrl } from "../../../queries/files/use-file.ts";
import { useToasts } from "../../../ui/toast.ts";
import { useFileActionsContext } from "../actions-context.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { type DropTarget, type HoverTarget, resolveFileDrop, resolveMoveTarget } from "./available-actions.tsx";
import type { useFolderUploads } from "./use-folder-uploads.ts";

/** Distinguishes drags of entries in the app from desktop files. */
const ENTRIES_MIME_TYPE = "application/x-talkback-files";
/** Data attribute by which the styles highlight the drop target. */
const HOVER_DATA_KEY = "dropOver";

/** Elements that accept drops: folders, files, the list and its empty state. */
const DROP_ZONE_SELECTOR = "[data-folder], [data-entry], [data-drop-zone], [role=grid]";

interface DropLayerProps {
  uploads: ReturnType<typeof useFolderUploads>;
  /** Called when a file is dropped onto an entry, as its next version. */
  onVersionDrop(entry: FileEntry, file: File): void;
}

/** Shows where a dragged item would go, and handles the drop. */
export function DropLayer({ uploads, onVersionDrop }: DropLayerProps) {
  const { tree, folder } = useFilesContext();
  const toasts = useToasts();
  const { move, uploadDisabledReason } = useFileActionsContext();
  const nameOf = (id: number) => {
    const node = tree.get(id);
    return node ? folderName(node) : tFiles("root");
  };

  async function handleVersionDrop(dropped: (FileSystemEntry | File)[], entry: FileEntry) {
    const [first] = dropped;
    // A folder cannot be distinguished from a file before the drop.
    if (dropped.length !== 1 || !first || (!(first instanceof File) && first.isDirectory))
      return void uploads.addDropped(dropped, { id: folder.id, name: nameOf(folder.id) });
    const file =
      first instanceof File ? first : await new Promise<File>((resolve, reject) => (first as FileSystemFileEntry).file(resolve, reject)).catch(() => null);
    if (file) onVersionDrop(entry, file);
    else toasts.showError(t("unreadable", { count: 1, name: first.name }));
  }
  const hover = useDrops({
    acceptsFiles: uploadDisabledReason === null,
    onFiles(dropped, target) {
      if (target.kind === "version") void handleVersionDrop(dropped, target.entry);
      else void uploads.addDropped(dropped, { id: target.id, name: nameOf(target.id) });
    },
    onEntries: (dragged, id) => move(dragged, { id, name: nameOf(id) }),
  });
  if (!hover) return null;
  const { icon: Icon, text } = describeHover(hover, nameOf);
  const isCurrentFolder = hover.kind === "files" && hover.target.kind === "folder" && hover.target.id === folder.id;
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 z-10">
      {isCurrentFolder && <div className="absolute inset-1.5 rounded-lg border-2 border-dashed border-accent" />}
      <p className="absolute inset-x-0 bottom-6 mx-auto flex w-fit max-w-[90%] items-center gap-2 rounded-full bg-accent px-4 py-2 font-medium text-accent-ink shadow-float">
        <Icon size={18} className="shrink-0" />
        <span className="truncate">{text}</span>
      </p>
    </div>
  );
}

function describeHover(hover: DragHover, nameOf: (id: number) => string) {
  if (hover.kind === "entries")
    return { icon: FolderInput, text: t("dropMove", { count: hover.dragged.length, name: hover.dragged[0]!.name, folder: nameOf(hover.target) }) };
  if (hover.target.kind === "version") return { icon: FilePlus2, text: t("dropVersion", { name: hover.target.entry.name }) };
  return { icon: Upload, text: t("dropTo", { folder: nameOf(hover.target.id) }) };
}

type DragHover = { kind: "files"; target: DropTarget } | { kind: "entries"; target: number; dragged: readonly FileEntry[] };

interface DropHandlers {
  /** True if desktop files are accepted. */
  acceptsFiles: boolean;
  onFiles(dropped: (FileSystemEntry | File)[], target: DropTarget): void;
  onEntries(dragged: readonly FileEntry[], folderId: number): void;
}

function isSameHover(a: DragHover | null, b: DragHover | null): boolean {
  if (a?.kind === "files" && b?.kind === "files")
    return a.target.kind === "folder"
      ? b.target.kind === "folder" && a.target.id === b.target.id
      : b.target.kind === "version" && a.target.entry === b.target.entry;
  if (a?.kind === "entries" && b?.kind === "entries") return a.target === b.target && a.dragged === b.dragged;
  return a === b;
}

/** Checks the drag itself, because the dragged entries are stale if a drag never ended after its row was removed. */
const isEntryDragEvent = (event: DragEvent): boolean => event.dataTransfer?.types.includes(ENTRIES_MIME_TYPE) === true;

function findDropZone(target: EventTarget | null): { element: HTMLElement; hoverTarget: HoverTarget } | null {
  const element = target instanceof Element ? target.closest<HTMLElement>(DROP_ZONE_SELECTOR) : null;
  if (!element || element.closest("[data-overlay]")) return null;
  const { folder: folderId, entry } = element.dataset;
  if (folderId !== undefined) return { element, hoverTarget: { kind: "folder", id: Number(folderId) } };
  return { element, hoverTarget: entry === undefined ? { kind: "list" } : { kind: "entry", id: Number(entry) } };
}

/** Handles all drags of the view: dragged rows, and items dragged over folders, files, and the list. */
function useDrops({ acceptsFiles, onFiles, onEntries }: DropHandlers): DragHover | null {
  const { folder, tree, entries, selectedEntries } = useFilesContext();
  const [hover, setHover] = useState<DragHover | null>(null);
  const [dragged, setDragged] = useState<readonly FileEntry[] | null>(null);
  const dropContext = { currentFolderId: folder.id, tree, entries };

  function resolveHover(event: DragEvent): { hover: DragHover; element: HTMLElement } | null {
    const zone = findDropZone(event.target);
    if (!zone) return null;
    if (dragged && isEntryDragEvent(event)) {
      const target = resolveMoveTarget(zone.hoverTarget, dragged, dropContext);
      return target === null ? null : { hover: { kind: "entries", target, dragged }, element: zone.element };
    }
    if (!acceptsFiles || isEntryDragEvent(event) || !event.dataTransfer?.types.includes("Files")) return null;
    // Some browsers report the number of files only on drop.
    const target = resolveFileDrop(zone.hoverTarget, dropContext, event.dataTransfer.items.length <= 1);
    return target && { hover: { kind: "files", target }, element: zone.element };
  }

  function startDrag(event: DragEvent): void {
    const row = event.target instanceof HTMLElement && event.target.matches("[data-entry], [data-folder]") ? event.target : null;
    const id = Number(row?.dataset["entry"] ?? row?.dataset["folder"]);
    const entry = entries.find((candidate) => candidate.id === id) ?? tree.get(id);
    if (!row || !entry || !event.dataTransfer || entry.parent_id === null) return;
    const entriesToDrag = selectedEntries.some((candidate) => candidate.id === id) ? selectedEntries : [entry];
    setDragged(entriesToDrag);
    event.dataTransfer.effectAllowed = "copyMove";
    event.dataTransfer.setData(ENTRIES_MIME_TYPE, String(entriesToDrag.length));
    // Some browsers use this to drag a file out of the window.
    if (entriesToDrag.length === 1 && !entry.is_folder)
      event.dataTransfer.setData("DownloadURL", `application/octet-stream:${entry.name}:${new URL(originalFileUrl(entry), location.origin).href}`);
  }
  function endDrag(): void {
    setDragged(null);
    setHover(null);
  }
  function handleDragOver(event: DragEvent): HTMLElement | null {
    const isEntryDrag = dragged !== null && isEntryDragEvent(event);
    const isFileDrag = !isEntryDrag && event.dataTransfer?.types.includes("Files") === true;
    if (!isFileDrag && !isEntryDrag) return null;
    const resolved = resolveHover(event);
    // Without this, the browser would open the file in place of the page.
    if (resolved || isFileDrag) event.preventDefault();
    event.dataTransfer!.dropEffect = resolved ? (isEntryDrag ? "move" : "copy") : "none";
    const next = resolved?.hover ?? null;
    setHover((now) => (isSameHover(now, next) ? now : next));
    return resolved?.element ?? null;
  }
  function handleDrop(event: DragEvent): void {
    const resolved = resolveHover(event);
    if (resolved || event.dataTransfer?.types.includes("Files")) event.preventDefault();
    if (resolved?.hover.kind === "entries") onEntries(resolved.hover.dragged, resolved.hover.target);
    else if (resolved) onFiles(getDropEntries(event.dataTransfer!), resolved.hover.target);
    endDrag();
  }

  useDragListeners({ onStart: startDrag, onOver: handleDragOver, onLeave: () => setHover(null), onDrop: handleDrop, onEnd: endDrag });
  return hover;
}

interface DragListeners {
  onStart(event: DragEvent): void;
  /** Returns the element that would take the drop, which is then highlighted. */
  onOver(event: DragEvent): HTMLElement | null;
  /** Called when the drag no longer moves over the page. */
  onLeave(): void;
  onDrop(event: DragEvent): void;
  onEnd(): void;
}

/** Listens to all drags over the page and highlights the element that would take the drop. */
function useDragListeners(listeners: DragListeners): void {
  const onStart = useEffectEvent(listeners.onStart);
  const onOver = useEffectEvent(listeners.onOver);
  const onLeave = useEffectEvent(listeners.onLeave);
  const onDrop = useEffectEvent(listeners.onDrop);
  const onEnd = useEffectEvent(listeners.onEnd);
  useEffect(() => {
    let highlighted: HTMLElement | null = null;
    let leaveTimer: ReturnType<typeof setTimeout> | undefined;
    const highlight = (element: HTMLElement | null) => {
      if (highlighted === element) return;
      if (highlighted) delete highlighted.dataset[HOVER_DATA_KEY];
      highlighted = element;
      if (highlighted) highlighted.dataset[HOVER_DATA_KEY] = "";
    };
    const handleStart = (event: DragEvent) => onStart(event);
    const handleOver = (event: DragEvent) => {
      clearTimeout(leaveTimer);
      leaveTimer = setTimeout(() => {
        highlight(null);
        onLeave();
      }, DRAG_END_DELAY_MS);
      highlight(onOver(event));
    };
    const handleDrop = (event: DragEvent) => {
      clearTimeout(leaveTimer);
      highlight(null);
      onDrop(event);
    };
    const handleEnd = () => {
      clearTimeout(leaveTimer);
      highlight(null);
      onEnd();
    };
    document.addEventListener("dragstart", handleStart);
    // The element under the pointer can change right before the drop, and then only dragenter fires.
    document.addEventListener("dragenter", handleOver);
    document.addEventListener("dragover", handleOver);
    document.addEventListener("drop", handleDrop);
    document.addEventListener("dragend", handleEnd);
    return () => {
      handleEnd();
      document.removeEventListener("dragstart", handleStart);
      document.removeEventListener("dragenter", handleOver);
      document.removeEventListener("dragover", handleOver);
      document.removeEventListener("drop", handleDrop);
      document.removeEventListener("dragend", handleEnd);
    };
  }, []);
}
