import type { OutboxEntry } from "../../queries/outbox/outbox.ts";

/** Comments that were refused since `announcedIds`, of files that are not open: nobody would see them. */
export function unseenFailedComments(entries: readonly OutboxEntry[], announcedIds: ReadonlySet<string>, pathname: string): OutboxEntry[] {
  return entries.filter(
    ({ state, comment, clientId }) => state === "failed" && comment && !announcedIds.has(clientId) && pathname !== `/files/${comment.fileId}`,
  );
}
