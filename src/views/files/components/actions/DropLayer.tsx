import { FilePlus2, FolderInput, Upload } from "lucide-react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t as tFiles } from "../../../../lib/messages/files.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { showToast } from "../../../../ui/toast.ts";
import { useFilesRoom } from "../files-room.ts";
import { useActionsRoom } from "./actions-room.ts";
import { useDrops, type Over } from "./use-drops.ts";
import type { useUploadsInto } from "./use-uploads-into.ts";

interface Props {
  uploads: ReturnType<typeof useUploadsInto>;
}

/** Says where what is held over the view would go, and takes it. */
export function DropLayer({ uploads }: Props) {
  const { tree, folder } = useFilesRoom();
  const { move, ask, uploadsOff } = useActionsRoom();
  const nameOf = (id: number) => {
    const one = tree.get(id);
    return !one || one.parent_id === null ? tFiles("root") : one.name;
  };

  async function takeVersion(found: (FileSystemEntry | File)[], entry: FileEntry) {
    const [first] = found;
    // A folder is told from a file only once it is dropped.
    if (found.length !== 1 || !first || (!(first instanceof File) && first.isDirectory))
      return void uploads.entries(found, { id: folder.id, name: nameOf(folder.id) });
    const file =
      first instanceof File ? first : await new Promise<File>((resolve, reject) => (first as FileSystemFileEntry).file(resolve, reject)).catch(() => null);
    if (file) ask({ what: "version-of", entries: [entry], file });
    else showToast({ text: t("unreadable", { count: 1, name: first.name }), tone: "bad" });
  }
  const over = useDrops({
    takesFiles: uploadsOff === null,
    onFiles(found, target) {
      if (target.kind === "version") void takeVersion(found, target.entry);
      else void uploads.entries(found, { id: target.id, name: nameOf(target.id) });
    },
    onEntries: (dragged, id) => move(dragged, { id, name: nameOf(id) }),
  });
  if (!over) return null;
  const { icon: Icon, text } = wordsOf(over, nameOf);
  const isHere = over.what === "files" && over.target.kind === "folder" && over.target.id === folder.id;
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 z-10">
      {isHere && <div className="absolute inset-1.5 rounded-lg border-2 border-dashed border-accent" />}
      <p className="absolute inset-x-0 bottom-6 mx-auto flex w-fit max-w-[90%] items-center gap-2 rounded-full bg-accent px-4 py-2 font-medium text-accent-ink shadow-float">
        <Icon size={18} className="shrink-0" />
        <span className="truncate">{text}</span>
      </p>
    </div>
  );
}

function wordsOf(over: Over, nameOf: (id: number) => string) {
  if (over.what === "entries")
    return { icon: FolderInput, text: t("dropMove", { count: over.dragged.length, name: over.dragged[0]!.name, folder: nameOf(over.target) }) };
  if (over.target.kind === "version") return { icon: FilePlus2, text: t("dropVersion", { name: over.target.entry.name }) };
  return { icon: Upload, text: t("dropTo", { folder: nameOf(over.target.id) }) };
}
