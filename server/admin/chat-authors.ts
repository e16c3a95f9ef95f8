/** Resolves the author of an imported message to an account of the organisation. */
import { nameKey } from "../domain/accounts/create.ts";
import type { SourceRecord } from "./chat-records.ts";

interface Member {
  id: number;
  username_key: string;
  email_key: string;
}

/** Matches by email address, then name, then id, and otherwise uses the fallback. Returns null if there is none. */
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
