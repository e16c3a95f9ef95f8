/** The outbox that belongs to a query cache: sends through the API and puts the answer where events put theirs. */
import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api/api-error.ts";
import { here } from "../../api/http.ts";
import { sendMessage } from "../../api/messages.ts";
import type { Comment } from "../../../contract/comment-records.ts";
import type { Message } from "../../../contract/records.ts";
import { now } from "../../lib/clock.ts";
import { t } from "../../lib/messages/uploads.ts";
import { randomId } from "../../lib/random-id.ts";
import { commentsCode } from "../comments/code.ts";
import { putMessage } from "../messages/cache.ts";
import type { History } from "../messages/history.ts";
import { messageKeys } from "../messages/keys.ts";
import { sessionQueries } from "../session/options.ts";
import { createOutbox } from "./outbox-queue.ts";
import type { OutboxStore, Readiness, Sent } from "./sending.ts";
import type { Upload } from "../uploads/upload.ts";
import { uploadsOf } from "../uploads/lazy-uploads.ts";
import { TAB } from "./this-tab.ts";
import type { Outbox, OutboxEntry } from "./outbox.ts";

const perClient = new WeakMap<QueryClient, Outbox>();
const NAME = "talkback.outbox";
/** How often it is looked whether a tab that carried uploads is gone. */
const ADOPT_MS = 5_000;

type Note = "look" | { arrived: string } | { sent: Message } | { comment: Comment };

/** Comes beside the first load, and again where it did not. */
let code: ReturnType<typeof loadCode> | undefined;
const loadCode = () => import("./outbox-store.ts");
function opened() {
  code ??= loadCode();
  code.catch(() => (code = undefined));
  return code;
}
const lazyStore = (accountId: number): OutboxStore => {
  const store = async () => (await opened()).outboxStore(serviceAddress(), accountId);
  return {
    load: async () => (await store()).load(),
    put: async (entry) => (await store()).put(entry),
    update: async (clientId, change) => (await store()).update(clientId, change),
  };
};
const serviceAddress = () => new URL(here.base || "/", location.origin).href;

async function alone(accountId: number, run: () => Promise<void>): Promise<void> {
  const name = `${NAME}:${serviceAddress()}:${accountId}`;
  if ("locks" in navigator) return void (await navigator.locks.request(name, run));
  const { leased } = await opened();
  let began = false;
  const begin = () => {
    began = true;
    return run();
  };
  try {
    await leased(name, TAB, begin);
  } catch (error) {
    // Where nothing can be kept no other tab can know of it either.
    if (began) throw error;
    await run();
  }
}

export function outboxOf(client: QueryClient): Outbox {
  const known = perClient.get(client);
  if (known) return known;
  void opened().catch(() => undefined);
  const queue = uploadsOf(client);
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;
  // A channel only reaches pages of this origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const note = (what: Note) => channel?.postMessage(what);
  /** Uploads that this browser does not hold any more. */
  const lost = new Set<string>();
  const outbox = createOutbox({
    storeOf: lazyStore,
    alone,
    tell: (sent) => note(sent === undefined ? "look" : { arrived: sent }),
    send: async (entry) => {
      const sent = await send(client, entry);
      if ("message" in sent) note({ sent: sent.message });
      if ("comment" in sent) note({ comment: sent.comment });
      return sent;
    },
    readiness: (entry) => readinessOf(entry, queue.uploads(), () => newestId(client, entry.projectId), lost),
    claimUploads: ({ uploads, clientId }) => queue.claim(uploads, clientId, outbox.stored(clientId)),
    resumeUploads: (entry) => entry.uploads.forEach((id) => queue.resume(id)),
    endUploads: ({ uploads }, why) => (why === "sent" ? queue.forget(uploads) : uploads.forEach((id) => queue.cancel(id))),
    newId: randomId,
    now,
  });
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<Note>) => {
      // Before its waiting row goes.
      if (data === "look") outbox.look();
      else if ("arrived" in data) outbox.heard(data.arrived);
      else if ("sent" in data) putMessage(client, data.sent);
      else void commentsCode().then(({ putComment }) => putComment(client, data.comment), ignored);
    };
  queue.onChange(() => outbox.wakeReady());
  let adopting: ReturnType<typeof setTimeout> | undefined;
  outbox.onChange(() => {
    const missing = () => {
      const held = new Set(queue.uploads().map(({ id }) => id));
      return outbox.entries().flatMap(({ state, uploads }) => (state === "failed" ? [] : uploads.filter((id) => !held.has(id) && !lost.has(id))));
    };
    if (adopting !== undefined || missing().length === 0) return;
    const adopt = async () => {
      for (const id of await queue.adopt(missing()).catch(() => [])) lost.add(id);
      adopting = missing().length > 0 ? setTimeout(() => void adopt(), ADOPT_MS) : undefined;
      outbox.wakeReady();
    };
    adopting = setTimeout(() => void adopt(), ADOPT_MS);
  });
  // Its answer was lost, or it was refused because it is there already: nothing waits any more.
  const dropArrived = () => {
    const waiting = new Map(outbox.entries().flatMap((entry) => (entry.state === "sending" ? [] : [[entry.clientId, entry.accountId] as const])));
    if (waiting.size === 0) return;
    for (const [, history] of client.getQueriesData<History>({ queryKey: messageKeys.all }))
      for (const { client_id: id, account_id: by } of history?.messages ?? []) if (id && waiting.get(id) === by) outbox.arrived(id);
  };
  outbox.onChange(dropArrived);
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && query.queryKey[0] === messageKeys.all[0]) dropArrived();
  });
  perClient.set(client, outbox);
  return outbox;
}

/** Whoever cannot load them shows none. */
const ignored = () => undefined;

/** The uploads that a message takes along, as far as this tab carries them. */
const uploadsFor = (entry: OutboxEntry, uploads: readonly Upload[]) => entry.uploads.flatMap((wanted) => uploads.find(({ id }) => id === wanted) ?? []);

/** Whether a message may go: all its uploads are done; one that failed fails the message, in words. */
export function readinessOf(entry: OutboxEntry, all: readonly Upload[], afterId: () => number | null, lost: ReadonlySet<string> = new Set()): Readiness {
  if (entry.uploads.length === 0) return { state: "ready" };
  const uploads = uploadsFor(entry, all);
  const failed = uploads.find(({ state }) => state === "failed");
  if (failed) return { state: "failed", fault: t("uploadFailed", { name: failed.name, fault: failed.fault ?? t("failedPlain") }), afterId: afterId() };
  // A message without its files says something else: its writer decides.
  if (entry.uploads.some((id) => lost.has(id))) return { state: "failed", fault: t("filesLost"), afterId: afterId() };
  // Those that are not here are another tab's.
  return { state: uploads.length === entry.uploads.length && uploads.every(({ state }) => state === "done") ? "ready" : "waiting" };
}

async function send(client: QueryClient, entry: OutboxEntry): Promise<Sent | { result: "sent"; message: Message } | { result: "sent"; comment: Comment }> {
  // Nothing is ever sent as somebody else.
  if (client.getQueryData(sessionQueries.current().queryKey)?.account.id !== entry.accountId) return { result: "later" };
  if (entry.comment) {
    const way = await commentsCode().catch(() => null);
    if (!way) return { result: "later" };
    try {
      return { result: "sent", comment: await way.sendComment(client, entry, entry.comment) };
    } catch (error) {
      return verdict(error, null);
    }
  }
  const attachments = uploadsFor(entry, uploadsOf(client).uploads()).flatMap(({ fileId }) => fileId ?? []);
  try {
    const message = await sendMessage(
      {
        project_id: entry.projectId,
        body: entry.body,
        client_id: entry.clientId,
        ...(attachments.length === 0 ? {} : { attachment_ids: attachments }),
        ...(entry.voice ? { is_audio_message: true } : {}),
        ...(entry.quote === null ? {} : { parent_message_id: entry.quote.id }),
      },
      // Another tab may have changed who is signed in.
      { accountId: entry.accountId },
    );
    putMessage(client, message);
    return { result: "sent", message };
  } catch (error) {
    return verdict(error, newestId(client, entry.projectId));
  }
}

/** What is only a matter of time is tried again; what the service refuses is told to the writer. */
export function verdict(error: unknown, afterId: number | null): Sent {
  if (!(error instanceof ApiError)) return { result: "refused", fault: error instanceof Error ? error.message : String(error), afterId };
  const { title, detail, errors, retryAfter } = error;
  const wait = retryAfter === undefined ? {} : { afterMs: retryAfter * 1_000 };
  // 401, 412: the message waits for its writer to sign in again.
  if (error.isAway || error.status === 401 || error.status === 412) return { result: "later", ...wait };
  if (error.isTemporary || error.kind === "malformed") return { result: "later", ...wait, fault: detail ?? title, afterId };
  return { result: "refused", fault: errors[0]?.message ?? detail ?? title, afterId };
}

function newestId(client: QueryClient, projectId: number): number | null {
  const ends = client
    .getQueriesData<History>({ queryKey: messageKeys.project(projectId) })
    .flatMap(([, history]) => (history && !history.hasMoreAfter ? [history.messages.at(-1)?.id ?? 0] : []));
  return ends.length > 0 ? Math.max(...ends) : null;
}
