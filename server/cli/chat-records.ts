/** Parses the lines of an imported chat, and matches their authors to accounts of the organization. */
import { LIMITS } from "../../contract/limits.ts";
import { findTextIssue, nameKey } from "../../contract/text.ts";

/** A message record as returned by `chat_history`, of which only `id`, `body` and `datetime` are required. */
export interface SourceRecord {
  id: string;
  body: string;
  createdAt: number;
  editedAt: number | null;
  parentId: string | null;
  email: string | null;
  username: string | null;
  accountId: number | null;
  /** Author as named in the record, for error messages. */
  author: string;
  attachments: number;
  deleted: boolean;
}
export interface LineError {
  line: number;
  message: string;
}

interface Member {
  id: number;
  username_key: string;
  email_key: string;
}

/** Range of valid timestamps: years of four digits. */
const [MIN_TIME, MAX_TIME] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
const MAX_ID_LENGTH = 80;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

/** Returns the record, or a string that describes what is invalid. */
export function parseRecord(line: string): SourceRecord | string {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return "is not JSON";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "is not a JSON object";
  const id = parseId(value["id"]);
  if (id === null) return `id must be a positive integer, or a string of at most ${MAX_ID_LENGTH} characters`;
  const { body, attachments, deleted } = value;
  if (typeof body !== "string") return "body must be a string";
  const issue = findTextIssue(body, { max: LIMITS.message_characters });
  if (issue) return `body ${issue}`;
  const createdAt = parseTimestamp(value["datetime"]);
  if (createdAt === null) return "datetime must be a timestamp with an offset, such as 2026-03-02T09:00:00Z";
  const edited = value["edited_at"] ?? null;
  const editedAt = edited === null ? null : parseTimestamp(edited);
  if (edited !== null && editedAt === null) return "edited_at must be a timestamp with an offset, such as 2026-03-02T09:00:00Z";
  const parent = value["parent_message_id"] ?? null;
  const parentId = parent === null ? null : parseId(parent);
  if (parent !== null && parentId === null) return "parent_message_id must be an id";
  const [email, username] = [textOrNull(value["account_email"]), textOrNull(value["username"])];
  const accountId = Number.isSafeInteger(value["account_id"]) ? (value["account_id"] as number) : null;
  const author = email ?? username ?? (accountId === null ? "" : `account ${accountId}`);
  const attachmentCount = Array.isArray(attachments) ? attachments.length : 0;
  return { id, body, createdAt, editedAt, parentId, email, username, accountId, author, attachments: attachmentCount, deleted: deleted === true };
}

const parseId = (value: unknown): string | null => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  return typeof value === "string" && value !== "" && value.length <= MAX_ID_LENGTH && findTextIssue(value, { max: MAX_ID_LENGTH, singleLine: true }) === null
    ? value
    : null;
};
const parseTimestamp = (value: unknown): number | null => {
  const timestamp = typeof value === "string" && ISO.test(value) ? Date.parse(value) : Number.NaN;
  return timestamp >= MIN_TIME && timestamp <= MAX_TIME ? timestamp : null;
};
const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Matches the author of a record by email address, then name, then id, and otherwise uses the fallback. Returns null if there is none. */
export function createAuthorResolver(people: readonly Member[], fallback: number | null): (record: SourceRecord) => { id: number; fallback: boolean } | null {
  const emails = new Map(people.map(({ id, email_key }) => [email_key, id]));
  const names = new Map(people.map(({ id, username_key }) => [username_key, id]));
  const ids = new Set(people.map(({ id }) => id));
  return ({ email, username, accountId }) => {
    // A record with a name or email may come from another installation, where ids belong to other people.
    const isNamed = email !== null || username !== null;
    const id =
      (email === null ? undefined : emails.get(nameKey(email))) ??
      (username === null ? undefined : names.get(nameKey(username))) ??
      (!isNamed && accountId !== null && ids.has(accountId) ? accountId : undefined);
    if (id !== undefined) return { id, fallback: false };
    return fallback === null ? null : { id: fallback, fallback: true };
  };
}
