import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useClient } from "../../client/client.ts";
import { useSession } from "../../queries/session.ts";
import { useHasUploadsAtRisk } from "../uploads/use-uploads.ts";
import type { OutboxEntry } from "./outbox-types.ts";

function useAllEntries(): readonly OutboxEntry[] {
  const { outbox } = useClient();
  return useSyncExternalStore(outbox.onChange, outbox.entries);
}

/** Returns the entries of the signed-in account. */
export function useOwnEntries(): readonly OutboxEntry[] {
  const { id } = useSession().account;
  const all = useAllEntries();
  return useMemo(() => all.filter(({ accountId }) => accountId === id), [all, id]);
}

/** Returns a project's unsent messages in the order of writing, with the actions on them. */
export function useOutbox(projectId: number) {
  const { outbox } = useClient();
  const all = useOwnEntries();
  const entries = useMemo(() => all.filter((entry) => entry.projectId === projectId && !entry.comment), [all, projectId]);
  return { entries, add: outbox.add, whenStored: outbox.whenStored, retry: outbox.retry, discard: outbox.discard };
}

/** Returns everything unsent in a project, including comments. */
export function useUnsent(projectId: number) {
  const all = useOwnEntries();
  const entries = useMemo(() => all.filter((entry) => entry.projectId === projectId), [all, projectId]);
  return { entries, discard: useClient().outbox.discard };
}

/** Returns the numbers of messages and comments in all projects that wait for the connection. */
export function useWaitingCounts(): { messages: number; comments: number } {
  const waiting = useOwnEntries().filter(({ state }) => state !== "failed");
  const comments = waiting.filter(({ comment }) => comment).length;
  return { messages: waiting.length - comments, comments };
}

/** Returns the number of unsent messages and comments in all projects, waiting or failed. */
export function useUnsentCount(): number {
  return useOwnEntries().length;
}

/** Warns before the page is left while it holds messages, or files to upload, that the browser has not stored; returns whether it does. */
export function useLeaveWarning(): boolean {
  const { outbox } = useClient();
  const hasUnsavedEntries = useSyncExternalStore(outbox.onChange, () => outbox.entries().some(({ isPersisted }) => !isPersisted));
  const hasUnsaved = useHasUploadsAtRisk() || hasUnsavedEntries;
  useEffect(() => {
    if (!hasUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [hasUnsaved]);
  return hasUnsaved;
}
