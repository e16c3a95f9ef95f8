/** Loads what was written in a project's chat within a time, as lines for a model. */
import type { Actor } from "../../../access/access.ts";
import { padIds } from "../../../db/engine-sql.ts";
import type { Db } from "../../../db/schema.ts";
import { iso } from "../../../lib/iso-time.ts";
import type { ConversationServices } from "../../conversation/services.ts";
import type { MessageView } from "../../conversation/message-view.ts";
import { parseMentions } from "../../conversation/mentions.ts";
import { cutText } from "./harmless-text.ts";

const PAGE = 200;

export interface ChatExcerpt {
  /** Oldest first. */
  lines: string[];
  names: ReadonlyMap<number, string>;
  /** Older messages were left out. */
  isCut: boolean;
}
interface ChatWindow {
  projectId: number;
  since: number;
  /** Messages of this time and later are left out. */
  until: number;
  /** Whose messages are left out. */
  exceptAccountId: number;
  maxCharacters: number;
  maxLineCharacters: number;
}

async function loadNames(db: Db, views: readonly MessageView[]): Promise<Map<number, string>> {
  const ids = [...new Set(views.flatMap(({ row, mentions }) => [row.account_id, ...mentions]))];
  if (ids.length === 0) return new Map();
  const accounts = await db.selectFrom("accounts").select(["id", "username"]).where("id", "in", padIds(ids)).execute();
  return new Map(accounts.map(({ id, username }) => [id, username]));
}

function toLine({ row, attachments, sharedComment, mentions }: MessageView, names: ReadonlyMap<number, string>, maxCharacters: number): string {
  const body = parseMentions(row.body)
    .filter((id) => mentions.includes(id))
    .reduce((text, id) => text.replaceAll(`<@${id}>`, `@${names.get(id) ?? "somebody"}`), row.body);
  const parts = [
    body,
    ...attachments.map(({ name }) => (row.is_audio_message ? "(voice message)" : `(file: ${name})`)),
    ...(sharedComment && sharedComment.deleted_at === null ? [`(comment on ${sharedComment.file_name}: ${sharedComment.excerpt})`] : []),
  ];
  const text = parts.filter(Boolean).join(" ");
  return cutText(`${iso(row.created_at).slice(0, 16).replace("T", " ")} ${names.get(row.account_id) ?? "somebody"}: ${text}`, maxCharacters);
}

/** Reads backwards from the newest message, so that the oldest are left out if there are too many. */
export async function loadChatExcerpt(
  { chat }: Pick<ConversationServices, "chat">,
  db: Db,
  actor: Actor,
  { projectId, since, until, exceptAccountId, maxCharacters, maxLineCharacters }: ChatWindow,
): Promise<ChatExcerpt> {
  const lines: string[] = [];
  const names = new Map<number, string>();
  let characters = 0;
  let beforeId: number | undefined;
  for (;;) {
    const page = await chat.history(actor, { projectId, limit: PAGE, ...(beforeId === undefined ? {} : { beforeId }) });
    for (const [id, name] of await loadNames(db, page.messages)) names.set(id, name);
    for (const view of page.messages.toReversed()) {
      if (view.row.created_at < since) return { lines: lines.toReversed(), names, isCut: false };
      if (view.row.created_at >= until || view.row.account_id === exceptAccountId) continue;
      const line = toLine(view, names, maxLineCharacters);
      characters += line.length + 1;
      if (characters > maxCharacters) return { lines: lines.toReversed(), names, isCut: true };
      lines.push(line);
    }
    if (!page.hasMoreBefore || page.messages.length === 0) return { lines: lines.toReversed(), names, isCut: false };
    beforeId = page.messages[0]!.row.id;
  }
}

/** Divides lines into parts of at most so many characters. */
export function divideLines(lines: readonly string[], maxCharacters: number): string[] {
  const parts: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= maxCharacters) parts[parts.length - 1] = `${last}\n${line}`;
    else parts.push(line);
  }
  return parts;
}
