/** Moves entries by drag and drop, with mouse and keyboard, and accepts files from the desktop. Folders of the list, the tree and the breadcrumb are targets. */
import { FilePlus2, FolderInput, Upload } from "lucide-react";
import { createContext, type DragEvent, type ReactNode, type RefObject, use, useEffect, useRef, useState } from "react";
import { useDrag } from "react-aria/useDrag";
import { useDrop } from "react-aria/useDrop";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { useClient } from "../../../client/client.ts";
import { getDropEntries } from "../../../components/uploads/file-tree.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { originalFileUrl } from "../../../queries/files/use-file.ts";
import { useCurrentUser } from "../../../queries/permissions.ts";
import { useToasts } from "../../../ui/toast.ts";
import { useFileActionsContext } from "../actions-context.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { acceptsMove, resolveFileDrop, versionDisabledReason } from "./available-actions.tsx";
import type { useFolderUploads } from "./use-folder-uploads.ts";

/** Distinguishes drags of entries in the app from desktop files. */
const ENTRIES_MIME_TYPE = "application/x-talkback-files";

/** The functions stay the same, so that the tree does not render again with the list. */
interface DropContextValue {
  startDrag(entries: readonly FileEntry[]): void;
  endDrag(): void;
  getDragItems(): Record<string, string>[];
  getDropOperation(target: FileEntry): "move" | "copy" | "cancel";
  enter(target: FileEntry): void;
  /** Ends the hover over an entry, which may be gone. */
  leave(id: number): void;
  drop(target: FileEntry): void;
}

const DropContext = createContext<DropContextValue | null>(null);

/** Returns the functions with which an element starts drags and accepts drops. */
export const useDropContext = (): DropContextValue => use(DropContext)!;

interface DropAreaProps {
  uploads: ReturnType<typeof useFolderUploads>;
  /** Called when a file is dropped onto an entry, as its next version. */
  onVersionDrop(entry: FileEntry, file: File): void;
  children: ReactNode;
}

/** Renders the part of the view in which entries and files are dragged, and shows where a dragged item would go. */
export function DropArea({ uploads, onVersionDrop, children }: DropAreaProps) {
  const { tree, folder } = useFilesContext();
  const { move, uploadDisabledReason } = useFileActionsContext();
  const user = useCurrentUser();
  const toasts = useToasts();
  const { api, media } = useClient();
  const dragged = useRef<readonly FileEntry[]>([]);
  /** What only the browser's own events contain. Some browsers report the number of files only on drop. */
  const desktop = useRef({ hasFiles: false, isSingle: false });
  const dropped = useRef<(FileSystemEntry | File)[]>([]);
  const [hovered, setHovered] = useState<FileEntry | null>(null);
  useRejectedFileDrops();
  const resolveDrop = (target: FileEntry, isSingleFile: boolean) =>
    resolveFileDrop(target, folder, isSingleFile, (file) => versionDisabledReason(user, file, tree) === null);

  async function dropFiles(target: FileEntry): Promise<void> {
    const files = dropped.current;
    const [first] = files;
    // A folder cannot be distinguished from a file before the drop.
    const isSingleFile = files.length === 1 && (first instanceof File || first?.isFile === true);
    const destination = resolveDrop(target, isSingleFile);
    if (destination.is_folder) return uploads.addDropped(files, { id: destination.id, name: folderName(destination) });
    const file =
      first instanceof File ? first : await new Promise<File>((resolve, reject) => (first as FileSystemFileEntry).file(resolve, reject)).catch(() => null);
    if (file) onVersionDrop(destination, file);
    else toasts.showError(t("unreadable", { count: 1, name: first!.name }));
  }
  const latest = useRef({ tree, move, uploadDisabledReason, dropFiles });
  latest.current = { tree, move, uploadDisabledReason, dropFiles };
  const [context] = useState<DropContextValue>(() => ({
    startDrag: (entries) => void (dragged.current = entries.filter(({ parent_id }) => parent_id !== null)),
    endDrag() {
      dragged.current = [];
      setHovered(null);
    },
    getDragItems() {
      const [first, ...others] = dragged.current;
      if (!first) return [];
      // Some browsers use the URL to drag a file out of the window; it has to work without a token.
      const url = originalFileUrl(api, first);
      const canDragOut = others.length === 0 && !first.is_folder && !media.needsDownload(url);
      return [{ [ENTRIES_MIME_TYPE]: String(first.id), ...(canDragOut && { DownloadURL: `application/octet-stream:${first.name}:${url}` }) }];
    },
    getDropOperation(target) {
      // The library's types do not tell: in Safari, files from the desktop have every type.
      if (dragged.current.length > 0) return acceptsMove(target, dragged.current, latest.current.tree) ? "move" : "cancel";
      return desktop.current.hasFiles && latest.current.uploadDisabledReason === null ? "copy" : "cancel";
    },
    enter: setHovered,
    leave: (id) => setHovered((current) => (current?.id === id ? null : current)),
    drop(target) {
      if (dragged.current.length > 0) latest.current.move(dragged.current, { id: target.id, name: folderName(target) });
      else void latest.current.dropFiles(target);
    },
  }));
  const readDrag = ({ dataTransfer: { types, items } }: DragEvent) => {
    desktop.current = { hasFiles: types.includes("Files"), isSingle: items.length <= 1 };
  };
  return (
    <DropContext value={context}>
      <div
        className="relative h-full min-h-0"
        onDragEnterCapture={readDrag}
        onDragOverCapture={readDrag}
        onDropCapture={({ dataTransfer }) => void (dropped.current = getDropEntries(dataTransfer))}
      >
        {children}
        {hovered && <DropHint dragged={dragged.current} target={dragged.current.length > 0 ? hovered : resolveDrop(hovered, desktop.current.isSingle)} />}
      </div>
    </DropContext>
  );
}

function DropHint({ dragged, target }: { dragged: readonly FileEntry[]; target: FileEntry }) {
  const { folder: openFolder } = useFilesContext();
  const [first] = dragged;
  const folder = folderName(target);
  const Icon = first ? FolderInput : target.is_folder ? Upload : FilePlus2;
  const text = first
    ? t("dropMove", { count: dragged.length, name: first.name, folder })
    : target.is_folder
      ? t("dropTo", { folder })
      : t("dropVersion", { name: target.name });
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 z-10">
      {target.id === openFolder.id && <div className="absolute inset-1.5 rounded-lg border-2 border-dashed border-accent" />}
      <p className="absolute inset-x-0 bottom-6 mx-auto flex w-fit max-w-[90%] items-center gap-2 rounded-full bg-accent px-4 py-2 font-medium text-accent-ink shadow-float">
        <Icon size={18} className="shrink-0" />
        <span className="truncate">{text}</span>
      </p>
    </div>
  );
}

/** Rejects files that are dropped where nothing accepts them. Otherwise the browser would open the file in place of the page. */
function useRejectedFileDrops(): void {
  useEffect(() => {
    const reject = (event: globalThis.DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    const controller = new AbortController();
    const { signal } = controller;
    for (const type of ["dragenter", "dragover", "drop"] as const) document.addEventListener(type, reject, { signal });
    return () => controller.abort();
  }, []);
}

/** Makes an element draggable. `getEntries` returns what is dragged. */
export function useEntryDrag(getEntries: () => readonly FileEntry[]) {
  const { startDrag, endDrag, getDragItems } = useDropContext();
  return useDrag({
    hasDragButton: true,
    getAllowedDropOperations: () => ["move", "copy"],
    getItems: getDragItems,
    onDragStart: () => startDrag(getEntries()),
    onDragEnd: endDrag,
  });
}

/** Returns the props that make an element accept what is dropped on it. Files dropped on a file become its next version. */
export function useEntryDrop(ref: RefObject<HTMLElement | null>, target: FileEntry, { filesOnly = false } = {}) {
  const { getDropOperation, enter, leave, drop } = useDropContext();
  const { dropProps, isDropTarget } = useDrop({
    ref,
    getDropOperation() {
      const operation = getDropOperation(target);
      return filesOnly && operation === "move" ? "cancel" : operation;
    },
    onDropEnter: () => enter(target),
    onDropExit: () => leave(target.id),
    onDrop: () => drop(target),
  });
  // An element that is removed during a drag gets no event.
  useEffect(() => () => leave(target.id), [leave, target.id]);
  return { ...dropProps, "data-drop-over": (isDropTarget && !filesOnly) || undefined };
}
