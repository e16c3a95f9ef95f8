/** A service in memory whose line to its clients loses, doubles, swaps and delays, by lot; for tests of what clients make of that. */
import { ApiError } from "../../api/api-error.ts";
import type { HistoryPlace, NewMessage } from "../../api/messages.ts";
import type { Message } from "../../../contract/records.ts";
import { createLine, type Random } from "../live/line.fixture.ts";
import type { HistoryAnswer } from "./history.ts";
import { messageOf } from "./message.fixture.ts";
import { quoteOf } from "./quotes.ts";

/** Smaller than in life, so that short worlds reach their ends. */
const PAGE_MOST = 20;

export const ME = 1;
export const OTHERS = 2;

export function createService(random: Random, before: number) {
  const messages: Message[] = [];
  const { state: line, events, happened, call, open, cut } = createLine(random, "project:1");
  /** Messages that were deleted at some time: how long a client may not know that they are back is the line's matter. */
  const onceDeleted = new Set<number>();
  let lastId = 0;
  /** What was asked for just now, which is where a change meets a page or an answer under way. */
  let onTheWay: readonly Message[] = [];

  /** As it is told right now: with its parent as that stands. */
  const shown = (message: Message): Message => {
    const parent = message.parent_message_id === null ? undefined : messages.find(({ id }) => id === message.parent_message_id);
    return { ...message, parent: parent ? quoteOf(parent) : null };
  };
  const add = (changes: Partial<Message>) => {
    // Ids are drawn for all projects together: a chat has holes.
    lastId += 1 + random(3);
    const message = messageOf(lastId, { ...changes, datetime: new Date().toISOString() });
    messages.push(message);
    return message;
  };
  for (let count = 0; count < before; count += 1) add({ account_id: OTHERS });

  function change(message: Message | undefined, changes: Partial<Message>): void {
    if (!message) return;
    const after = { ...message, ...changes, revision: message.revision! + 1 };
    if (after.deleted) onceDeleted.add(after.id);
    messages[messages.indexOf(message)] = after;
    happened("message.updated", shown(after));
  }

  function page({ limit = 50, before_id, after_id, around_id, include_deleted = false }: HistoryPlace): HistoryAnswer & { object: "list"; seq: number } {
    const seen = messages.filter(({ deleted }) => include_deleted || !deleted);
    const most = Math.min(limit, PAGE_MOST);
    const to = before_id === undefined ? seen.length : seen.filter(({ id }) => id < before_id).length;
    let from = Math.max(0, to - most);
    if (after_id !== undefined) from = seen.filter(({ id }) => id <= after_id).length;
    if (around_id !== undefined) from = Math.max(0, seen.filter(({ id }) => id < around_id).length - most / 2);
    const data = seen.slice(from, before_id === undefined ? from + most : to).map(shown);
    onTheWay = data;
    return { object: "list", data, has_more_before: from > 0, has_more_after: from + data.length < seen.length, seq: events.length };
  }

  function take({ body, client_id: clientId, parent_message_id: parent = null }: NewMessage): Message {
    const known = messages.find(({ client_id }) => client_id === clientId);
    if (known) return shown(known);
    if (line.refuses(body)) throw new ApiError({ kind: "problem", status: 400, title: "No", detail: "not today" });
    const message = add({ account_id: ME, body, client_id: clientId ?? null, parent_message_id: parent });
    happened("message.created", shown(message));
    onTheWay = [message];
    return shown(message);
  }

  const any = (fits: (message: Message) => boolean) => {
    const near = random(3) > 0 ? onTheWay.flatMap(({ id }) => messages.filter((one) => one.id === id && fits(one))) : [];
    const fitting = near.length > 0 ? near : messages.filter(fits);
    return fitting.length > 0 ? fitting[random(fitting.length)] : undefined;
  };
  return {
    line,
    onceDeleted,
    page: (place: HistoryPlace, signal?: AbortSignal) => call(() => page(place), signal),
    take: (message: NewMessage) => call(() => take(message)),
    open,
    cut,
    write: () => happened("message.created", shown(add({ account_id: OTHERS, parent_message_id: any(() => true)?.id ?? null }))),
    edit: () =>
      change(
        any(({ deleted }) => !deleted),
        { body: `edited ${events.length}`, edited: true },
      ),
    remove: () =>
      change(
        any(({ deleted }) => !deleted),
        { deleted: true, body: "" },
      ),
    restore: () =>
      change(
        any(({ deleted }) => deleted === true),
        { deleted: false, body: `restored ${events.length}` },
      ),
    /** Many at once, without an event each. */
    load() {
      for (let count = 0; count < 8; count += 1) add({ account_id: OTHERS });
      happened("messages.imported", { project_id: 1 });
    },
    stored: (clientId: string): Message | undefined => messages.find(({ client_id }) => client_id === clientId),
    /** What is true. */
    messages: (): readonly Message[] => messages.map(shown),
  };
}
export type FakeService = ReturnType<typeof createService>;
