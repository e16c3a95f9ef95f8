/** Finds the completion trigger before the caret (`@` for a person, `:` for an emoji) and applies the chosen suggestion. */
import type { Emoji } from "../../../parts/emoji/emoji-data.ts";
import type { Mention } from "../../../queries/drafts/drafts.ts";
import { matchScore } from "../../../lib/search.ts";

export interface CompletionTrigger {
  kind: "person" | "emoji";
  /** Index of the trigger character. */
  start: number;
  query: string;
}

/** Characters before the caret in which a trigger is searched. */
const MAX_QUERY_LENGTH = 40;
const ALLOWED_BEFORE = /[\s([{"'“‘>*]/;

export function findTrigger(text: string, caret: number): CompletionTrigger | null {
  const from = Math.max(0, caret - MAX_QUERY_LENGTH);
  const textBeforeCaret = text.slice(from, caret);
  const emoji = /:([\p{L}\p{N}_+-]{2,})$/u.exec(textBeforeCaret);
  if (emoji && startsToken(text, from + emoji.index)) return { kind: "emoji", start: from + emoji.index, query: emoji[1]! };
  const at = textBeforeCaret.lastIndexOf("@");
  if (at < 0 || !startsToken(text, from + at)) return null;
  const query = textBeforeCaret.slice(at + 1);
  return /[\n<]|^\s/.test(query) ? null : { kind: "person", start: from + at, query };
}

const startsToken = (text: string, at: number) => at === 0 || ALLOWED_BEFORE.test(text[at - 1]!);

export interface Mentionable {
  id: number;
  name: string;
  email: string;
  avatarUrl: string | null;
}

export type Suggestion = { kind: "person"; person: Mentionable } | { kind: "emoji"; emoji: Emoji };

/** Returns the people with a name word or an email that starts with the query, best first. */
export function matchPeople<P extends Pick<Mentionable, "id" | "name" | "email">>(people: readonly P[], query: string, limit: number): P[] {
  if (query === "") return people.slice(0, limit);
  return people
    .map((person) => ({ person, score: Math.max(matchScore(person.name, query), person.email.startsWith(query.toLowerCase()) ? EMAIL_MATCH_SCORE : 0) }))
    .filter(({ score }) => score >= EMAIL_MATCH_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ person }) => person);
}

/** Equals the score of a match on a later word of a name. */
const EMAIL_MATCH_SCORE = 2;

export interface Completion {
  text: string;
  caret: number;
  mentions: readonly Mention[];
}

/** Replaces the query with the suggestion; a name is followed by a space, an emoji is not. */
export function applySuggestion(text: string, caret: number, start: number, suggestion: Suggestion): Completion {
  const before = text.slice(0, start);
  const after = text.slice(caret);
  if (suggestion.kind === "emoji") {
    const { char } = suggestion.emoji;
    return { text: `${before}${char}${after}`, caret: start + char.length, mentions: [] };
  }
  const { id, name } = suggestion.person;
  const mentionText = `@${name}`;
  const end = start + mentionText.length;
  return { text: `${before}${mentionText}${after.startsWith(" ") ? "" : " "}${after}`, caret: end + 1, mentions: [{ start, end, accountId: id }] };
}
