/** Inserts the messages of a data set and their search index. */
import type { DatabaseSync } from "node:sqlite";
import { hasLink } from "../../contract/links.ts";
import { tokenizeForIndex } from "../../contract/search-tokens.ts";
import { filterTokens } from "../../server/db/search.ts";
import { createRandom, generateChat, RARE_WORD } from "./generated-chat.ts";

/** Different texts, which repeat: creating and tokenizing each anew would take minutes. */
const TEXTS = 20_000;
const YEARS_MS = 4 * 365 * 86_400_000;
/** Share of messages that reply to one of the last of their chat. */
const REPLY_SHARE = 0.12;
const RECENT = 50;

export interface Chat {
  project: number;
  /** Everybody who writes in it. */
  authors: readonly number[];
  messages: number;
  /** A word that every second message begins with; of the largest chat, only the first five. */
  word?: { text: string; limit?: number };
}

export interface InsertedChat {
  project: number;
  newest: number;
  /** The message in the middle of the chat. */
  middle: number;
}

/** Returns the indexes of the chats in the order of their messages, which are mixed as if they were written at the same time. */
function* mix(chats: readonly Chat[], random: () => number): Generator<number> {
  const remaining = chats.map(({ messages }) => messages);
  // A few large chats come first, so that a linear search ends early.
  for (let total = remaining.reduce((sum, count) => sum + count, 0); total > 0; total -= 1) {
    let target = random() * total;
    let index = 0;
    for (; index < remaining.length - 1 && target >= remaining[index]!; index += 1) target -= remaining[index]!;
    while (remaining[index] === 0) index -= 1;
    remaining[index]! -= 1;
    yield index;
  }
}

/** `chats`: the largest first. Every `rareInterval`th message contains `RARE_WORD`. */
export function insertMessages(database: DatabaseSync, chats: readonly Chat[], { end, rareInterval }: { end: number; rareInterval: number }): InsertedChat[] {
  const random = createRandom(11);
  const texts = [...generateChat(TEXTS, ["Ana"], end)].map(({ body }) => ({ body, tokens: tokenizeForIndex(body).join(" "), link: hasLink(body) }));
  const total = chats.reduce((sum, { messages }) => sum + messages, 0);
  const { last } = database.prepare("select coalesce(max(id), 0) as last from messages").get() as { last: number };
  const insert =
    database.prepare(`insert into messages (id, project_id, account_id, body, type, is_audio_message, parent_id, parent_account_id, revision, created_at)
    values (?, ?, ?, ?, 'message', 0, ?, ?, 1, ?)`);
  const index = database.prepare("insert into message_search (rowid, words) values (?, ?)");
  const states = chats.map(() => ({ recent: [] as { id: number; author: number }[], count: 0, middle: 0, newest: 0, words: 0 }));
  let id = last;
  for (const nth of mix(chats, random)) {
    id += 1;
    const [chat, state] = [chats[nth]!, states[nth]!];
    const text = texts[Math.floor(random() * TEXTS)]!;
    const author = chat.authors[Math.floor(random() * chat.authors.length)]!;
    const createdAt = end - Math.floor(((last + total - id) / total) * YEARS_MS);
    const words: string[] = [];
    if ((id - last) % rareInterval === 1) words.push(RARE_WORD);
    if (chat.word && state.words < (chat.word.limit ?? Infinity) && random() < 0.5) {
      words.push(chat.word.text);
      state.words += 1;
    }
    const prefix = words.length === 0 ? "" : `${words.join(" ")} `;
    const parent = state.count > 0 && random() < REPLY_SHARE ? state.recent[Math.floor(random() * state.recent.length)]! : null;
    insert.run(id, chat.project, author, prefix + text.body, parent?.id ?? null, parent?.author ?? null, createdAt);
    const filters = filterTokens({ projectId: chat.project, accountId: author, createdAt, link: text.link, file: false });
    index.run(id, `${prefix}${text.tokens} ${filters.join(" ")}`);
    state.count += 1;
    state.newest = id;
    if (state.count === Math.ceil(chat.messages / 2)) state.middle = id;
    state.recent[state.count % RECENT] = { id, author };
    if (state.recent[0] === undefined) state.recent[0] = { id, author };
  }
  const setNewest = database.prepare("update projects set last_message_id = ? where id = ?");
  return chats.map(({ project }, nth) => {
    const { newest, middle } = states[nth]!;
    if (newest > 0) setNewest.run(newest, project);
    return { project, newest, middle };
  });
}
