/** Sets up one tab's outbox whose service, uploads and store the test controls. */
import { expect, vi } from "vitest";
import { createOutbox } from "./create-outbox.ts";
import { createSharedStorage } from "./outbox.fixture.ts";
import type { OutboxEntry, Readiness, SendResult } from "./outbox-types.ts";

export function setUpOutbox(storage = createSharedStorage(), notifyTabs: (deliveredId?: string) => void = () => undefined) {
  const attempts: string[] = [];
  const answers: SendResult[] = [];
  let activeSends = 0;
  let ids = 0;
  const waiting: Readiness = { state: "waiting" };
  const uploadStates = new Map<string, Readiness>();
  const ended: string[] = [];
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
      return answers.shift() ?? { result: "sent" };
    },
    readiness: ({ uploads }) => uploads.map((id) => uploadStates.get(id) ?? waiting).find(({ state }) => state !== "ready") ?? { state: "ready" },
    claimUploads({ uploads, clientId }) {
      if (uploads.length === 0 || claimed.has(clientId)) return;
      claimed.add(clientId);
      ended.push(`${clientId} takes ${uploads.join()}`);
    },
    resumeUploads: ({ uploads }) => void ended.push(`resume ${uploads.join()}`),
    releaseUploads: ({ uploads }, outcome) => void ended.push(`${outcome} ${uploads.join()}`),
    newId: () => `id-${(ids += 1)}`,
    now: Date.now,
  });
  const write = (body: string, accountId = 1, uploads: readonly string[] = []) => outbox.add({ projectId: 1, accountId, body, quote: null, uploads });
  const states = () => outbox.entries().map(({ body, state }) => `${body} ${state}`);
  /** Runs everything that needs no time. */
  const soon = () => vi.advanceTimersByTimeAsync(0);
  return { outbox, attempts, answers, write, states, uploadStates, ended, soon };
}
