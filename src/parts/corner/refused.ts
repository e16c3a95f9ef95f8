import type { OutboxEntry } from "../../queries/outbox/outbox.ts";

/** Comments that were refused since `told`, of files that are not open: nobody would see them. */
export function refusedOf(entries: readonly OutboxEntry[], told: ReadonlySet<string>, pathname: string): OutboxEntry[] {
  return entries.filter(({ state, comment, clientId }) => state === "failed" && comment && !told.has(clientId) && pathname !== `/files/${comment.fileId}`);
}
