import { useEffect, useRef, useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import type { FileActs } from "../../../../queries/file-actions/use-file-acts.ts";
import { useKeyPerBody } from "../../../../queries/key-per-body.ts";
import { announce } from "../../../../ui/announce.ts";
import { showToast } from "../../../../ui/toast.ts";
import { freeName } from "../../model/names.ts";
import type { FilesRoom } from "../files-room.ts";
import type { Naming } from "./actions-room.ts";
import { reasonOf } from "./changes.ts";

/** The one name of the view that is being written: of an entry, or of a folder to be. What is refused stays written, with the reason. */
export function useNaming(room: FilesRoom, acts: FileActs) {
  const { folder, entries } = room;
  const [naming, setNaming] = useState<Naming | null>(null);
  const keyOf = useKeyPerBody();
  /** What is in sight of the person; nothing once the view is gone. */
  const shown = useRef<ReadonlySet<number>>(new Set());
  useEffect(() => {
    shown.current = new Set(entries.map(({ id }) => id));
    return () => void (shown.current = new Set());
  }, [entries]);

  /** The new name is seen at once; where it is refused the field comes back as it was left. */
  async function rename(entry: FileEntry, name: string) {
    setNaming(null);
    room.focus(entry.id);
    if (name === entry.name) return;
    try {
      await acts.renameEntry(entry, name);
      announce(t("renamed", { name }));
    } catch (error) {
      const fault = reasonOf(error);
      // Somewhere else by now: told there.
      if (!shown.current.has(entry.id)) return void showToast({ text: t("notRenamed", { name: entry.name, reason: fault }), tone: "bad" });
      setNaming((now) => now ?? { of: { kind: "entry", id: entry.id }, text: name, fault, pending: false });
    }
  }
  async function make(name: string) {
    setNaming({ of: { kind: "folder" }, text: name, fault: null, pending: true });
    try {
      const made = await acts.createFolder(folder, name, keyOf([folder.id, name]));
      setNaming(null);
      room.focus(made.id);
      announce(t("made", { name }));
    } catch (error) {
      setNaming({ of: { kind: "folder" }, text: name, fault: reasonOf(error), pending: false });
    }
  }
  return {
    naming,
    rename: (entry: FileEntry) => setNaming({ of: { kind: "entry", id: entry.id }, text: entry.name, fault: null, pending: false }),
    newFolder() {
      const taken = entries.map(({ name }) => name);
      setNaming({ of: { kind: "folder" }, text: freeName(t("untitled"), taken), fault: null, pending: false });
    },
    give(name: string) {
      if (!naming) return;
      const { of } = naming;
      if (of.kind === "folder") return void make(name);
      const entry = entries.find(({ id }) => id === of.id);
      if (entry) void rename(entry, name);
      else setNaming(null);
    },
    stop() {
      if (naming?.of.kind === "entry") room.focus(naming.of.id);
      setNaming(null);
    },
  };
}
