import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { t as tFiles } from "../../../../lib/messages/files.ts";
import { useFileActs, useMe } from "../../../../queries/file-actions/use-file-acts.ts";
import { useUploadsOff } from "../../../../queries/uploads/use-uploads-off.ts";
import { showToast } from "../../../../ui/toast.ts";
import { offersFor, type Action } from "../../model/offers.ts";
import { useFilesRoom } from "../files-room.ts";
import { ActionDialogs } from "./ActionDialogs.tsx";
import { ActionsRoomContext, type ActionsRoom, type Asking } from "./actions-room.ts";
import { move, remove } from "./changes.ts";
import { DropLayer } from "./DropLayer.tsx";
import { copyLinks, download } from "./saving.ts";
import { undoLast } from "./undo.ts";
import { useNaming } from "./use-naming.ts";
import { useUploadsInto } from "./use-uploads-into.ts";

/** Ctrl+Z, Cmd+Z: takes back what was done last, unless something is being written. */
function useUndoKey(accountId: number): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const writing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    if (event.defaultPrevented || writing || event.shiftKey || event.altKey || !(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "z") return;
    if (!document.querySelector("dialog[open]") && undoLast(accountId)) event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** What one does with files, around the view that shows them. */
export function FileActions({ children }: { children: ReactNode }) {
  const room = useFilesRoom();
  const { project, folder, tree } = room;
  const me = useMe();
  const acts = useFileActs();
  const uploadsOff = useUploadsOff();
  const uploads = useUploadsInto(project.id);
  const naming = useNaming(room, acts);
  const [asking, setAsking] = useState<Asking | null>(null);
  const files = useRef<HTMLInputElement>(null);
  const folders = useRef<HTMLInputElement>(null);
  const version = useRef<HTMLInputElement>(null);
  const versionOf = useRef<FileEntry | null>(null);
  useUndoKey(me.accountId);

  const nameOf = (one: Pick<FileEntry, "name" | "parent_id">) => (one.parent_id === null ? tFiles("root") : one.name);
  const here = { id: folder.id, name: nameOf(folder) };
  const offers = (entries: readonly FileEntry[]) => offersFor(entries, me, uploadsOff);
  const DO: Record<Action, (entries: readonly FileEntry[]) => void> = {
    open: ([first]) => first && room.open(first),
    download: (entries) => void download(acts, entries, entries.length > 1 && folder.parent_id === null ? project.name : here.name),
    rename: ([first]) => first && naming.rename(first),
    move: (entries) => setAsking({ what: "move", entries }),
    status: (entries) => setAsking({ what: "status", entries }),
    versions: (entries) => setAsking({ what: "versions", entries }),
    addVersion: ([first]) => first && chooseVersion(first),
    protection: (entries) => setAsking({ what: "protection", entries }),
    copyLink: (entries) => void copyLinks(entries, project.id),
    delete: (entries) =>
      void remove(acts, me, entries, (id) => {
        const one = tree.get(id);
        return one && nameOf(one);
      }),
  };
  function chooseVersion(of: FileEntry) {
    versionOf.current = of;
    version.current?.click();
  }
  const actions: ActionsRoom = {
    me,
    acts,
    uploadsOff,
    offers,
    run(action, entries) {
      const offer = offers(entries).find((one) => one.action === action);
      // Deleting and moving say by themselves why not, with the way on.
      if (offer && (offer.refusal === null || action === "delete")) DO[action](entries);
      else if (offer?.refusal) showToast({ text: offer.refusal, tone: "bad" });
    },
    move: (entries, to) => void move(acts, me, entries, to, tree),
    naming: naming.naming,
    giveName: naming.give,
    stopNaming: naming.stop,
    newFolder: naming.newFolder,
    ask: setAsking,
    asking,
    chooseFiles: () => files.current?.click(),
    chooseFolder: () => folders.current?.click(),
    chooseVersion,
  };
  function taken(input: HTMLInputElement): File[] {
    const chosen = [...(input.files ?? [])];
    input.value = "";
    return chosen;
  }
  return (
    <ActionsRoomContext value={actions}>
      <div className="relative h-full min-h-0">
        {children}
        <DropLayer uploads={uploads} />
      </div>
      <ActionDialogs />
      <input ref={files} type="file" multiple hidden aria-label={t("uploadFiles")} onChange={({ target }) => uploads.files(taken(target), here)} />
      <input
        ref={folders}
        type="file"
        multiple
        hidden
        aria-label={t("uploadFolder")}
        {...{ webkitdirectory: "" }}
        onChange={({ target }) => uploads.files(taken(target), here)}
      />
      <input
        ref={version}
        type="file"
        hidden
        aria-label={t("addVersion")}
        onChange={({ target }) => {
          const [file] = taken(target);
          if (file && versionOf.current) uploads.version(file, versionOf.current);
        }}
      />
    </ActionsRoomContext>
  );
}
