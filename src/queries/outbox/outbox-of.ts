/** The outbox that belongs to a query cache: sends through the API and puts the answer where events put theirs. */
import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api/api-error.ts";
import { sendMessage } from "../../api/messages.ts";
import { t } from "../../lib/messages/uploads.ts";
import { randomId } from "../../lib/random-id.ts";
import { putMessage } from "../messages/cache.ts";
import type { History } from "../messages/history.ts";
import { messageKeys } from "../messages/keys.ts";
import { sessionQueries } from "../session/options.ts";
import { createMemoryOutbox, type Readiness, type Sent } from "./memory-outbox.ts";
import type { Upload } from "../uploads/upload.ts";
import { uploadsOf } from "../uploads/uploads-of.ts";
import type { Outbox, OutboxEntry } from "./outbox.ts";

const perClient = new WeakMap<QueryClient, Outbox>();

export function outboxOf(client: QueryClient): Outbox {
  const known = perClient.get(client);
  if (known) return known;
  const queue = uploadsOf(client);
  const outbox = createMemoryOutbox({
    send: (entry) => send(client, entry),
    readiness: (entry) => readinessOf(entry, queue.uploads(), () => newestId(client, entry.projectId)),
    claimUploads: ({ uploads, clientId }) => queue.claim(uploads, clientId),
    resumeUploads: (entry) => entry.uploads.forEach((id) => queue.resume(id)),
    endUploads: ({ uploads }, why) => (why === "sent" ? queue.forget(uploads) : uploads.forEach((id) => queue.cancel(id))),
    newId: randomId,
    now: Date.now,
  });
  queue.onChange(() => outbox.look());
  perClient.set(client, outbox);
  return outbox;
}

/** The uploads that a message takes along; those that were removed meanwhile are not missed. */
const uploadsFor = (entry: OutboxEntry, uploads: readonly Upload[]) => entry.uploads.flatMap((wanted) => uploads.find(({ id }) => id === wanted) ?? []);

/** Whether a message may go: all its uploads are done; one that failed fails the message, in words. */
export function readinessOf(entry: OutboxEntry, all: readonly Upload[], afterId: () => number | null): Readiness {
  if (entry.uploads.length === 0) return { state: "ready" };
  const uploads = uploadsFor(entry, all);
  const failed = uploads.find(({ state }) => state === "failed");
  if (failed) return { state: "failed", fault: t("uploadFailed", { name: failed.name, fault: failed.fault ?? t("failedPlain") }), afterId: afterId() };
  return { state: uploads.every(({ state }) => state === "done") ? "ready" : "waiting" };
}

async function send(client: QueryClient, entry: OutboxEntry): Promise<Sent> {
  // Nothing is ever sent as somebody else.
  if (client.getQueryData(sessionQueries.current().queryKey)?.account.id !== entry.accountId) return { result: "later" };
  const attachments = uploadsFor(entry, uploadsOf(client).uploads()).flatMap(({ fileId }) => fileId ?? []);
  try {
    const message = await sendMessage({
      project_id: entry.projectId,
      body: entry.body,
      client_id: entry.clientId,
      ...(attachments.length === 0 ? {} : { attachment_ids: attachments }),
      ...(entry.parentMessageId === null ? {} : { parent_message_id: entry.parentMessageId }),
    });
    putMessage(client, message);
    return { result: "sent" };
  } catch (error) {
    return verdict(error, newestId(client, entry.projectId));
  }
}

/** What is only a matter of time is tried again; what the service refuses is told to the writer. */
export function verdict(error: unknown, afterId: number | null): Sent {
  if (!(error instanceof ApiError)) return { result: "refused", fault: error instanceof Error ? error.message : String(error), afterId };
  const { title, detail, errors, retryAfter } = error;
  const wait = retryAfter === undefined ? {} : { afterMs: retryAfter * 1_000 };
  // 401: the message waits for its writer to sign in again.
  if (error.kind === "offline" || error.kind === "timeout" || error.status === 429 || error.status === 401) return { result: "later", ...wait };
  if (error.isTemporary || error.kind === "malformed") return { result: "later", ...wait, fault: detail ?? title, afterId };
  return { result: "refused", fault: errors[0]?.message ?? detail ?? title, afterId };
}

function newestId(client: QueryClient, projectId: number): number | null {
  const ends = client
    .getQueriesData<History>({ queryKey: messageKeys.project(projectId) })
    .flatMap(([, history]) => (history && !history.hasMoreAfter ? [history.messages.at(-1)?.id ?? 0] : []));
  return ends.length > 0 ? Math.max(...ends) : null;
}
