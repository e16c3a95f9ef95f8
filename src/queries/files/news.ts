/** What becomes known of files, for whoever has cached more of them than this room: the files view, which loads only where it is opened. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { FileStatus } from "../../../contract/records.ts";

export type FileEvent =
  | { type: "created" | "updated"; entry: FileEntry }
  /** With all below it, where it is a folder. */
  | { type: "deleted"; id: number }
  /** Chosen here, before the service has said so. */
  | { type: "status"; id: number; status: FileStatus | null }
  /** Whether it has comments that this person has not read. */
  | { type: "unread"; id: number; hasUnread: boolean };

type Listener = (client: QueryClient, event: FileEvent) => void;
const listeners = new Set<Listener>();

export const onFileEvent = (listener: Listener): void => void listeners.add(listener);

export function emitFileEvent(client: QueryClient, event: FileEvent): void {
  for (const listener of listeners) listener(client, event);
}
