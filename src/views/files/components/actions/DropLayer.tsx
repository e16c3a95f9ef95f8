import { FilePlus2, FolderInput, Upload } from "lucide-react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t as tFiles } from "../../../../lib/messages/files.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { showToast } from "../../../../ui/toast.ts";
import { useFilesContext } from "../files-room.ts";
import { useFileActionsContext } from "./actions-room.ts";
import { useDrops, type DragHover } from "./use-drops.ts";
import type { useFolderUploads } from "./use-uploads-into.ts";

interface Props {
  uploads: ReturnType<typeof useFolderUploads>;
}

/** Shows where a dragged item would go, and handles the drop. */
export function DropLayer({ uploads }: Props) {
  const { tree, folder } = useFilesContext();
  const { move, setActiveDialog, uploadDisabledReason } = useFileActionsContext();
  const nameOf = (id: number) => {
    const node = tree.get(id);
    return !node || node.parent_id === null ? tFiles("root") : node.name;
  };

  async function handleVersionDrop(dropped: (FileSystemEntry | File)[], entry: FileEntry) {
    const [first] = dropped;
    // A folder cannot be told from a file before the drop.
    if (dropped.length !== 1 || !first || (!(first instanceof File) && first.isDirectory))
      return void uploads.entries(dropped, { id: folder.id, name: nameOf(folder.id) });
    const file =
      first instanceof File ? first : await new Promise<File>((resolve, reject) => (first as FileSystemFileEntry).file(resolve, reject)).catch(() => null);
    if (file) setActiveDialog({ kind: "version-of", entries: [entry], file });
    else showToast({ text: t("unreadable", { count: 1, name: first.name }), tone: "bad" });
  }
  const hover = useDrops({
    acceptsFiles: uploadDisabledReason === null,
    onFiles(dropped, target) {
      if (target.kind === "version") void handleVersionDrop(dropped, target.entry);
      else void uploads.entries(dropped, { id: target.id, name: nameOf(target.id) });
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
