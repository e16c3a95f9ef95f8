/** One tab with an outbox whose service, uploads and store a test decides. */
import { expect, vi } from "vitest";
import type { OutboxEntry } from "./outbox.ts";
import { keptTogether } from "./outbox.fixture.ts";
import { createOutbox } from "./outbox-queue.ts";
import type { Readiness, Sent } from "./sending.ts";

export function lab(kept = keptTogether(), tell: (sent?: string) => void = () => undefined) {
  const attempts: string[] = [];
  const answers: Sent[] = [];
  let underway = 0;
  let ids = 0;
  const waiting: Readiness = { state: "waiting" };
  const uploadStates = new Map<string, Readiness>();
  const ended: string[] = [];
  const claimed = new Set<string>();
  const outbox = createOutbox({
    ...kept.page(),
    tell,
    async send(entry: OutboxEntry) {
      underway += 1;
      expect(underway).toBe(1);
      attempts.push(`${entry.body} ${entry.clientId}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
      underway -= 1;
      return answers.shift() ?? { result: "sent" };
    },
    readiness: ({ uploads }) => uploads.map((id) => uploadStates.get(id) ?? waiting).find(({ state }) => state !== "ready") ?? { state: "ready" },
    claimUploads({ uploads, clientId }) {
      if (uploads.length === 0 || claimed.has(clientId)) return;
      claimed.add(clientId);
      ended.push(`${clientId} takes ${uploads.join()}`);
    },
    resumeUploads: ({ uploads }) => void ended.push(`resume ${uploads.join()}`),
    endUploads: ({ uploads }, why) => void ended.push(`${why} ${uploads.join()}`),
    newId: () => `id-${(ids += 1)}`,
    now: Date.now,
  });
  const write = (body: string, accountId = 1, uploads: readonly string[] = []) => outbox.add({ projectId: 1, accountId, body, quote: null, uploads });
  const states = () => outbox.entries().map(({ body, state }) => `${body} ${state}`);
  /** Everything that needs no time has happened. */
  const soon = () => vi.advanceTimersByTimeAsync(0);
  return { outbox, attempts, answers, write, states, uploadStates, ended, soon };
}
