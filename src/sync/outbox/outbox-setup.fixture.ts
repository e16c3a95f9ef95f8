/** Sets up one tab's outbox whose service, uploads and store the test controls. */
import { expect, vi } from "vitest";
import { createOutbox } from "./create-outbox.ts";
import { createSharedStorage } from "./outbox.fixture.ts";
import type { OutboxEntry, Readiness, SendResult } from "./outbox-types.ts";

export function setUpOutbox(storage = createSharedStorage(), notifyTabs: (deliveredId?: string) => void = () => undefined) {
  const attempts: string[] = [];
  const results: SendResult[] = [];
  let activeSends = 0;
  let ids = 0;
  const waiting: Readiness = { state: "waiting" };
  const uploadStates = new Map<string, Readiness>();
  const uploadCalls: string[] = [];
  const claimed = new Set<string>();
  const outbox = createOutbox({
    ...storage.page(),
    notifyTabs,
    async send(entry: OutboxEntry) {
      activeSends += 1;
      expect(activeSends).toBe(1);
      attempts.push(`${entry.body} ${entry.clientId}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
      activeSends -= 1;
      return results.shift() ?? { result: "sent" };
    },
    readiness: ({ uploads }) => uploads.map((id) => uploadStates.get(id) ?? waiting).find(({ state }) => state !== "ready") ?? { state: "ready" },
    claimUploads({ uploads, clientId }) {
      if (uploads.length === 0 || claimed.has(clientId)) return;
      claimed.add(clientId);
      uploadCalls.push(`${clientId} claims ${uploads.join()}`);
    },
    resumeUploads: ({ uploads }) => void uploadCalls.push(`resume ${uploads.join()}`),
    releaseUploads: ({ uploads }, outcome) => void uploadCalls.push(`${outcome} ${uploads.join()}`),
    newId: () => `id-${(ids += 1)}`,
    now: Date.now,
  });
  const write = (body: string, accountId = 1, uploads: readonly string[] = []) => outbox.add({ projectId: 1, accountId, body, quote: null, uploads });
  const states = () => outbox.entries().map(({ body, state }) => `${body} ${state}`);
  /** Runs everything that needs no time. */
  const runPending = () => vi.advanceTimersByTimeAsync(0);
  return { outbox, attempts, results, write, states, uploadStates, uploadCalls, runPending };
}
