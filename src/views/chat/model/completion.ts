/** What the word before the caret asks for: a person after `@`, an emoji after `:`. */
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

interface Nameable {
  id: number;
  name: string;
}

/** Those whose names' words begin with what was typed, best first. */
export function peopleFor<P extends Nameable>(people: readonly P[], query: string, most: number): P[] {
  if (query === "") return people.slice(0, most);
  return people
    .map((person) => ({ person, score: fit(person.name, query) }))
    .filter(({ score }) => score >= 2)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ person }) => person);
}
