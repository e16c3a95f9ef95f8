/** Publishes file events to caches outside this module, such as the files view, which loads only when opened. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { FileStatus } from "../../../contract/records.ts";

export type FileEvent =
  | { type: "created" | "updated"; entry: FileEntry }
  /** Includes everything below a folder. */
  | { type: "deleted"; id: number }
  /** Set here before the service has confirmed it. */
  | { type: "status"; id: number; status: FileStatus | null }
  /** Whether the file has comments that the user has not read. */
  | { type: "unread"; id: number; hasUnread: boolean };

type Listener = (client: QueryClient, event: FileEvent) => void;
const listeners = new Set<Listener>();

export const onFileEvent = (listener: Listener): void => void listeners.add(listener);

export function emitFileEvent(client: QueryClient, event: FileEvent): void {
  for (const listener of listeners) listener(client, event);
}
