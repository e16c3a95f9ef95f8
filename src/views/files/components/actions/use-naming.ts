import { useEffect, useRef, useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import type { FileActs } from "../../../../queries/file-actions/use-file-acts.ts";
import { useKeyPerBody } from "../../../../queries/key-per-body.ts";
import { announce } from "../../../../ui/announce.ts";
import { showToast } from "../../../../ui/toast.ts";
import { freeName } from "../../model/names.ts";
import { comesBack, type Naming, type Sight } from "../../model/naming.ts";
import type { FilesRoom } from "../files-room.ts";
import { reasonOf } from "./changes.ts";

const NOWHERE: Sight = { folderId: null, entries: new Set() };

/** The one name of the view that is being written: of an entry, or of a folder to be. What is refused stays written, with the reason. */
export function useNaming(room: FilesRoom, acts: FileActs) {
  const { folder, entries } = room;
  const [naming, setNaming] = useState<Naming | null>(null);
  /** What is being written when an answer comes. */
  const latest = useRef(naming);
  const put = (next: Naming | null) => {
    latest.current = next;
    setNaming(next);
  };
  const keyOf = useKeyPerBody();
  const sight = useRef(NOWHERE);
  useEffect(() => {
    sight.current = { folderId: folder.id, entries: new Set(entries.map(({ id }) => id)) };
    return () => void (sight.current = NOWHERE);
  }, [folder.id, entries]);
  useEffect(() => {
    // Begun in the folder that was shown before: it is no name for anything here.
    if (latest.current && latest.current.folderId !== folder.id) put(null);
  }, [folder.id]);

  function refuse(sent: Naming, error: unknown, words: "notRenamed" | "notMade", name: string) {
    const fault = reasonOf(error);
    if (comesBack(sent, latest.current, sight.current)) put({ ...sent, fault, pending: false });
    else showToast({ text: t(words, { name, reason: fault }), tone: "bad" });
  }
  /** The new name is seen at once; where it is refused the field comes back as it was left. */
  async function rename(sent: Naming, entry: FileEntry) {
    put(null);
    if (sent.text === entry.name) return;
    try {
      await acts.renameEntry(entry, sent.text);
      announce(t("renamed", { name: sent.text }));
    } catch (error) {
      refuse(sent, error, "notRenamed", entry.name);
    }
  }
  async function make(begun: Naming, isLeaving: boolean) {
    const sent = { ...begun, fault: null, pending: true };
    put(sent);
    try {
      const made = await acts.createFolder(folder, sent.text, keyOf([folder.id, sent.text]));
      if (latest.current === sent) {
        put(null);
        if (!isLeaving) room.focus(made.id);
      }
      announce(t("made", { name: sent.text }));
    } catch (error) {
      refuse(sent, error, "notMade", sent.text);
    }
  }
  const begin = (of: Naming["of"], text: string) => put({ of, folderId: folder.id, text, fault: null, pending: false });
  return {
    naming: naming?.folderId === folder.id ? naming : null,
    rename: (entry: FileEntry) => begin({ kind: "entry", id: entry.id }, entry.name),
    newFolder() {
      const taken = entries.map(({ name }) => name);
      begin({ kind: "folder" }, freeName(t("untitled"), taken));
    },
    /** Whoever left the field has gone elsewhere with the focus. */
    give(text: string, isLeaving: boolean) {
      if (!naming) return;
      const { of } = naming;
      if (of.kind === "folder") return void make({ ...naming, text }, isLeaving);
      const entry = entries.find(({ id }) => id === of.id);
      if (!entry) return put(null);
      if (!isLeaving) room.focus(entry.id);
      void rename({ ...naming, text }, entry);
    },
    stop(isLeaving: boolean) {
      if (naming?.of.kind === "entry" && !isLeaving) room.focus(naming.of.id);
      put(null);
    },
  };
}
