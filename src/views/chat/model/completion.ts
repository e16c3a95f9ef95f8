/** What the word before the caret asks for: a person after `@`, an emoji after `:`; and the text once that is chosen. */
import type { Emoji } from "../../../parts/emoji/emoji-data.ts";
import type { Named } from "../../../queries/drafts/drafts.ts";
import { fit } from "../../../lib/search.ts";

export interface Wanted {
  kind: "person" | "emoji";
  /** Where its sign stands. */
  start: number;
  query: string;
}

/** Characters that a name may take before nobody is meant. */
const LONGEST = 40;
const BEFORE = /[\s([{"'“‘>*]/;

export function wantedAt(text: string, caret: number): Wanted | null {
  const from = Math.max(0, caret - LONGEST);
  const near = text.slice(from, caret);
  const emoji = /:([\p{L}\p{N}_+-]{2,})$/u.exec(near);
  if (emoji && opens(text, from + emoji.index)) return { kind: "emoji", start: from + emoji.index, query: emoji[1]! };
  const at = near.lastIndexOf("@");
  if (at < 0 || !opens(text, from + at)) return null;
  const query = near.slice(at + 1);
  return /[\n<]|^\s/.test(query) ? null : { kind: "person", start: from + at, query };
}

const opens = (text: string, at: number) => at === 0 || BEFORE.test(text[at - 1]!);

export interface Mentionable {
  id: number;
  name: string;
  email: string;
  avatarUrl: string | null;
}

export type Suggestion = { kind: "person"; person: Mentionable } | { kind: "emoji"; emoji: Emoji };

/** Those whose names' words, or whose address, begin with what was typed, best first. */
export function peopleFor<P extends Pick<Mentionable, "id" | "name" | "email">>(people: readonly P[], query: string, most: number): P[] {
  if (query === "") return people.slice(0, most);
  return people
    .map((person) => ({ person, score: Math.max(fit(person.name, query), person.email.startsWith(query.toLowerCase()) ? BY_ADDRESS : 0) }))
    .filter(({ score }) => score >= BY_ADDRESS)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ person }) => person);
}

/** As good as a word in the middle of a name. */
const BY_ADDRESS = 2;

export interface Completed {
  text: string;
  caret: number;
  named: readonly Named[];
}

/** The text with what was chosen in place of what was typed. A name ends with a space; an emoji stands where it was put. */
export function completed(text: string, caret: number, start: number, chosen: Suggestion): Completed {
  const before = text.slice(0, start);
  const rest = text.slice(caret);
  if (chosen.kind === "emoji") {
    const { char } = chosen.emoji;
    return { text: `${before}${char}${rest}`, caret: start + char.length, named: [] };
  }
  const { id, name } = chosen.person;
  const put = `@${name}`;
  const end = start + put.length;
  return { text: `${before}${put}${rest.startsWith(" ") ? "" : " "}${rest}`, caret: end + 1, named: [{ start, end, accountId: id }] };
}
