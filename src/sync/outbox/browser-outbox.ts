/** Creates the outbox of a client, which sends through the API and applies responses like events. */
import type { Comment } from "../../../contract/comment-records.ts";
import { sendMessage } from "../../../contract/operations/chat.ts";
import type { Message } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import type { ClientData } from "../../client/client.ts";
import type { TabLocks } from "../../lib/locks.ts";
import { randomId } from "../../lib/random-id.ts";
import { t } from "../../lib/texts/uploads.ts";
import { sendComment, upsertComment } from "../../queries/comments/cache-updates.ts";
import type { History } from "../../queries/messages/history.ts";
import { messageKeys, upsertCachedMessage } from "../../queries/messages/cache-updates.ts";
import { sessionQueries } from "../../queries/session.ts";
import type { UploadQueue } from "../uploads/upload-queue.ts";
import type { Upload } from "../uploads/upload.ts";
import { createOutbox, type Outbox } from "./create-outbox.ts";
import type { OutboxEntry, OutboxStore, Readiness, SendResult } from "./outbox-types.ts";

const OUTBOX_NAME = "talkback.outbox";
/** How often to check whether a tab that transferred uploads is gone. */
const RECOVER_INTERVAL_MS = 5_000;

/** Messages between tabs. Their values stay as they are, since a tab may run another build: "look" asks the others to reload the entries. */
type TabMessage = "look" | { arrived: string } | { sent: Message } | { comment: Comment };

interface OutboxParts {
  uploads: UploadQueue;
  tabLocks: TabLocks;
  openStore(address: string, accountId: number): OutboxStore;
}

export function createBrowserOutbox(client: ClientData, { uploads: uploadQueue, tabLocks, openStore }: OutboxParts): Outbox {
  const { api } = client;
  // Tabs on the page's own service use one name in every build of this client.
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(api.storageName(OUTBOX_NAME)) : null;
  // A channel only reaches pages of this origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const postToTabs = (message: TabMessage) => channel?.postMessage(message);
  /** Uploads that this browser no longer holds. */
  const lostUploads = new Set<string>();
  const outbox: Outbox = createOutbox({
    openStore: (accountId) => openStore(`${api.serviceUrl()}/`, accountId),
    runExclusive: (accountId, run) => tabLocks.run(`${OUTBOX_NAME}:${api.serviceUrl()}/:${accountId}`, run),
    notifyTabs: (deliveredId) => postToTabs(deliveredId === undefined ? "look" : { arrived: deliveredId }),
    send: async (entry) => {
      const result = await send(client, entry, uploadQueue.uploads());
      if ("message" in result) postToTabs({ sent: result.message });
      if ("comment" in result) postToTabs({ comment: result.comment });
      return result;
    },
    readiness: (entry) => checkReadiness(entry, uploadQueue.uploads(), () => newestMessageId(client, entry.projectId), lostUploads),
    claimUploads: ({ uploads, clientId }) => uploadQueue.claim(uploads, clientId, outbox.whenStored(clientId)),
    resumeUploads: (entry) => entry.uploads.forEach((id) => uploadQueue.resume(id)),
    releaseUploads: ({ uploads }, outcome) => (outcome === "sent" ? uploadQueue.remove(uploads) : uploads.forEach((id) => uploadQueue.cancel(id))),
    newId: randomId,
    now: client.clock.now,
  });
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      // A `sent` message or comment arrives before the notification that removes its pending row.
      if (data === "look") outbox.reload();
      else if ("arrived" in data) outbox.markDeliveredElsewhere(data.arrived);
      else if ("sent" in data) upsertCachedMessage(client, data.sent);
      else upsertComment(client, data.comment);
    };
  uploadQueue.onChange(() => outbox.wakeReady());
  const stopRecovering = recoverMissingUploads(outbox, uploadQueue, lostUploads);
  removeDeliveredEntries(client, outbox);
  return {
    ...outbox,
    close() {
      outbox.close();
      stopRecovering();
      channel?.close();
    },
  };
}

/** Recovers uploads that entries wait for and that no tab holds any more; adds those that are gone to `lostUploads`. Returns the function that ends it. */
function recoverMissingUploads(outbox: Outbox, uploadQueue: UploadQueue, lostUploads: Set<string>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const missingUploads = () => {
    const ownIds = new Set(uploadQueue.uploads().map(({ id }) => id));
    return outbox.entries().flatMap(({ state, uploads }) => (state === "failed" ? [] : uploads.filter((id) => !ownIds.has(id) && !lostUploads.has(id))));
  };
  const recover = async () => {
    for (const id of await uploadQueue.recover(missingUploads()).catch(() => [])) lostUploads.add(id);
    timer = missingUploads().length > 0 ? setTimeout(() => void recover(), RECOVER_INTERVAL_MS) : undefined;
    outbox.wakeReady();
  };
  outbox.onChange(() => {
    if (timer === undefined && missingUploads().length > 0) timer = setTimeout(() => void recover(), RECOVER_INTERVAL_MS);
  });
  return () => clearTimeout(timer);
}

/** Removes entries whose message is loaded: the service has it, although the response was lost or a resend was rejected as a duplicate. */
function removeDeliveredEntries(client: ClientData, outbox: Outbox): void {
  const removeDelivered = () => {
    const accountByClientId = new Map(outbox.entries().flatMap((entry) => (entry.state === "sending" ? [] : [[entry.clientId, entry.accountId] as const])));
    if (accountByClientId.size === 0) return;
    for (const [, history] of client.queryClient.getQueriesData<History>({ queryKey: messageKeys.all }))
      for (const { client_id: id, account_id: authorId } of history?.messages ?? []) if (id && accountByClientId.get(id) === authorId) outbox.markDelivered(id);
  };
  outbox.onChange(removeDelivered);
  client.queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && query.queryKey[0] === messageKeys.all[0]) removeDelivered();
  });
}

/** Returns the message's uploads that this tab holds. */
const entryUploads = (entry: OutboxEntry, uploads: readonly Upload[]) => entry.uploads.flatMap((uploadId) => uploads.find(({ id }) => id === uploadId) ?? []);

/** Decides whether a message can be sent: all its uploads must be done, and a failed one fails the message with an error text. */
export function checkReadiness(
  entry: OutboxEntry,
  all: readonly Upload[],
  afterId: () => number | null,
  lostUploads: ReadonlySet<string> = new Set(),
): Readiness {
  if (entry.uploads.length === 0) return { state: "ready" };
  const uploads = entryUploads(entry, all);
  const failed = uploads.find(({ state }) => state === "failed");
  if (failed) return { state: "failed", error: t("uploadFailed", { name: failed.name, reason: failed.error ?? t("failedWithoutReason") }), afterId: afterId() };
  // A message without its files has another meaning, so its author decides.
  if (entry.uploads.some((id) => lostUploads.has(id))) return { state: "failed", error: t("filesLost"), afterId: afterId() };
  // Uploads missing here belong to another tab.
  return { state: uploads.length === entry.uploads.length && uploads.every(({ state }) => state === "done") ? "ready" : "waiting" };
}

async function send(
  client: ClientData,
  entry: OutboxEntry,
  uploads: readonly Upload[],
): Promise<SendResult | { result: "sent"; message: Message } | { result: "sent"; comment: Comment }> {
  // A message is never sent under another account.
  if (client.queryClient.getQueryData(sessionQueries.current().queryKey)?.account.id !== entry.accountId) return { result: "later" };
  const attachments = entryUploads(entry, uploads).flatMap(({ fileId }) => fileId ?? []);
  if (entry.comment) {
    try {
      return { result: "sent", comment: await sendComment(client, entry, entry.comment, attachments) };
    } catch (error) {
      return toSendResult(error, null);
    }
  }
  try {
    const body = {
      project_id: entry.projectId,
      body: entry.body,
      client_id: entry.clientId,
      ...(attachments.length === 0 ? {} : { attachment_ids: attachments }),
      ...(entry.playlist ? { playlist_id: entry.playlist.id } : {}),
      ...(entry.voice ? { is_audio_message: true } : {}),
      ...(entry.quote === null ? {} : { parent_message_id: entry.quote.id }),
    };
    // Another tab may have changed the signed-in account.
    const message = await client.api.data(sendMessage, { body }, { accountId: entry.accountId });
    upsertCachedMessage(client, message);
    return { result: "sent", message };
  } catch (error) {
    return toSendResult(error, newestMessageId(client, entry.projectId));
  }
}

/** Maps an error to a result: temporary errors are retried, refusals are shown to the author. */
export function toSendResult(error: unknown, afterId: number | null): SendResult {
  if (!(error instanceof ApiError)) return { result: "refused", error: error instanceof Error ? error.message : String(error), afterId };
  const { title, detail, retryAfter, failureKind } = error;
  const delay = retryAfter === undefined ? {} : { afterMs: retryAfter * 1_000 };
  if (failureKind === "wait") return { result: "later", ...delay };
  if (failureKind === "retry") return { result: "later", ...delay, error: detail ?? title, afterId };
  return { result: "refused", error: error.reason, afterId };
}

function newestMessageId(client: ClientData, projectId: number): number | null {
  const newestIds = client.queryClient
    .getQueriesData<History>({ queryKey: messageKeys.project(projectId) })
    .flatMap(([, history]) => (history && !history.hasMoreAfter ? [history.messages.at(-1)?.id ?? 0] : []));
  return newestIds.length > 0 ? Math.max(...newestIds) : null;
}
