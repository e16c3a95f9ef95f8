import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import type { OutboxEntry } from "./outbox.ts";
import { getOutbox } from "./outbox-of.ts";

function useAllEntries(): readonly OutboxEntry[] {
  const outbox = getOutbox(useQueryClient());
  return useSyncExternalStore(outbox.onChange, outbox.entries);
}

/** Those of who is signed in. */
export function useOwnEntries(): readonly OutboxEntry[] {
  const { id } = useSession().account;
  const all = useAllEntries();
  return useMemo(() => all.filter(({ accountId }) => accountId === id), [all, id]);
}

/** The messages of a project that are not with the service yet, in the order they were written, and what may be done with them. */
export function useOutbox(projectId: number) {
  const outbox = getOutbox(useQueryClient());
  const all = useOwnEntries();
  const entries = useMemo(() => all.filter((entry) => entry.projectId === projectId && !entry.comment), [all, projectId]);
  return { entries, add: outbox.add, whenStored: outbox.whenStored, retry: outbox.retry, discard: outbox.discard };
}

/** Everything written in a project that is not with the service, its comments too. */
export function useUnsent(projectId: number) {
  const all = useOwnEntries();
  const entries = useMemo(() => all.filter((entry) => entry.projectId === projectId), [all, projectId]);
  return { entries, discard: getOutbox(useQueryClient()).discard };
}

/** How many messages and comments wait for the connection, in all projects. */
export function useWaitingCount(): number {
  return useOwnEntries().filter(({ state }) => state !== "failed").length;
}

/** How many messages and comments are not with the service, in all projects: those that wait and those that were refused. */
export function useUnsentCount(): number {
  return useOwnEntries().length;
}

/** Asks before the page is left while it holds messages that the browser could not keep. */
export function useLeaveWarning(): void {
  const hasUnsaved = useAllEntries().some(({ kept }) => !kept);
  useEffect(() => {
    if (!hasUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [hasUnsaved]);
}
