import type { OutboxEntry } from "../../queries/outbox/outbox.ts";

/** Returns comments that failed since `announcedIds` on files that are not open, where nobody would see the failure. */
export function unseenFailedComments(entries: readonly OutboxEntry[], announcedIds: ReadonlySet<string>, pathname: string): OutboxEntry[] {
  return entries.filter(
    ({ state, comment, clientId }) => state === "failed" && comment && !announcedIds.has(clientId) && pathname !== `/files/${comment.fileId}`,
  );
}
