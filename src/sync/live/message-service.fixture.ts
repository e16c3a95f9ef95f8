/** An in-memory service with the messages of one project, behind a network that randomly drops, duplicates, reorders and delays. */
import type { Message } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import type { chatHistory, sendMessage } from "../../../contract/operations/chat.ts";
import type { BodyOf } from "../../api/http.ts";
import { type HistoryResponse, toQuote } from "../../queries/messages/history.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { createUnreliableNetwork, type Random } from "./unreliable-network.fixture.ts";

/** Smaller than in production, so that short test runs reach the ends. */
const MAX_PAGE_SIZE = 20;

export const ME = 1;
export const OTHER_ACCOUNT_ID = 2;

export function createFakeService(random: Random, initialCount: number) {
  const messages: Message[] = [];
  const { state: network, events, emitEvent, call, open, cut } = createUnreliableNetwork(random, "project:1");
  /** Messages that were deleted at some point; the network decides how late a client learns that one was restored. */
  const onceDeleted = new Set<number>();
  let lastId = 0;
  /** The most recently requested messages, where a change can coincide with a page or response in flight. */
  let recentlyServed: readonly Message[] = [];

  /** Returns the message as of now, with its parent's current quote. */
  const serialize = (message: Message): Message => {
    const parent = message.parent_message_id === null ? undefined : messages.find(({ id }) => id === message.parent_message_id);
    return { ...message, parent: parent ? toQuote(parent) : null };
  };
  const add = (changes: Partial<Message>) => {
    // Ids are shared by all projects, so a chat has gaps.
    lastId += 1 + random(3);
    const message = buildMessage(lastId, { ...changes, datetime: new Date().toISOString() });
    messages.push(message);
    return message;
  };
  for (let count = 0; count < initialCount; count += 1) add({ account_id: OTHER_ACCOUNT_ID });

  function change(message: Message | undefined, changes: Partial<Message>): void {
    if (!message) return;
    const updated = { ...message, ...changes, revision: message.revision! + 1 };
    if (updated.deleted) onceDeleted.add(updated.id);
    messages[messages.indexOf(message)] = updated;
    emitEvent("message.updated", serialize(updated));
  }

  function page({ limit, before_id, after_id, around_id, include_deleted }: BodyOf<typeof chatHistory>): HistoryResponse & { object: "list"; seq: number } {
    const visible = messages.filter(({ deleted }) => include_deleted === true || !deleted);
    const maxCount = Math.min(limit ?? 50, MAX_PAGE_SIZE);
    const to = before_id === undefined ? visible.length : visible.filter(({ id }) => id < before_id).length;
    let from = Math.max(0, to - maxCount);
    if (after_id !== undefined) from = visible.filter(({ id }) => id <= after_id).length;
    if (around_id !== undefined) from = Math.max(0, visible.filter(({ id }) => id < around_id).length - maxCount / 2);
    const data = visible.slice(from, before_id === undefined ? from + maxCount : to).map(serialize);
    recentlyServed = data;
    return { object: "list", data, has_more_before: from > 0, has_more_after: from + data.length < visible.length, seq: events.length };
  }

  function create({ body: text, client_id: clientId, parent_message_id: parent = null }: BodyOf<typeof sendMessage>): Message {
    const body = text ?? "";
    const existing = messages.find(({ client_id }) => client_id === clientId);
    if (existing) return serialize(existing);
    if (network.rejects(body)) throw new ApiError({ kind: "problem", status: 400, title: "No", detail: "not today" });
    const message = add({ account_id: ME, body, client_id: clientId ?? null, parent_message_id: parent });
    emitEvent("message.created", serialize(message));
    recentlyServed = [message];
    return serialize(message);
  }

  const pickRandom = (matches: (message: Message) => boolean) => {
    const recent = random(3) > 0 ? recentlyServed.flatMap(({ id }) => messages.filter((candidate) => candidate.id === id && matches(candidate))) : [];
    const candidates = recent.length > 0 ? recent : messages.filter(matches);
    return candidates.length > 0 ? candidates[random(candidates.length)] : undefined;
  };
  return {
    network,
    onceDeleted,
    page: (place: BodyOf<typeof chatHistory>, signal?: AbortSignal) => call(() => page(place), signal),
    create: (message: BodyOf<typeof sendMessage>) => call(() => create(message)),
    open,
    cut,
    write: () => emitEvent("message.created", serialize(add({ account_id: OTHER_ACCOUNT_ID, parent_message_id: pickRandom(() => true)?.id ?? null }))),
    edit: () =>
      change(
        pickRandom(({ deleted }) => !deleted),
        { body: `edited ${events.length}`, edited: true },
      ),
    remove: () =>
      change(
        pickRandom(({ deleted }) => !deleted),
        { deleted: true, body: "" },
      ),
    restore: () =>
      change(
        pickRandom(({ deleted }) => deleted === true),
        { deleted: false, body: `restored ${events.length}` },
      ),
    /** Imports several messages without an event for each. */
    importMessages() {
      for (let count = 0; count < 8; count += 1) add({ account_id: OTHER_ACCOUNT_ID });
      emitEvent("messages.imported", { project_id: 1 });
    },
    findByClientId: (clientId: string): Message | undefined => messages.find(({ client_id }) => client_id === clientId),
    /** Returns the true state of the service. */
    messages: (): readonly Message[] => messages.map(serialize),
  };
}
export type FakeService = ReturnType<typeof createFakeService>;
