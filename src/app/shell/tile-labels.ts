import { initialsOf } from "../../lib/format.ts";

interface Named {
  id: number;
  name: string;
}

/** By the id of the project. */
export type TileLabels = ReadonlyMap<number, string>;

/**
 * Returns the label on the tile of each project: its initials, unless other projects of the list have the same. Theirs say where the names differ: of
 * "Client Spot 1" and "Client Spot 12", "C1" and "C12". Equal names are numbered by age.
 */
export function tileLabels(projects: readonly Named[]): TileLabels {
  const labels = new Map<number, string>();
  const byInitials = Map.groupBy(
    projects.toSorted((a, b) => a.id - b.id),
    ({ name }) => initialsOf(name),
  );
  const taken = new Set([...byInitials].flatMap(([initials, { length }]) => (length === 1 ? initials : [])));
  for (const [initials, namesakes] of byInitials) {
    if (namesakes.length === 1) labels.set(namesakes[0]!.id, initials);
    else nameApart(initials, namesakes, taken, labels);
  }
  return labels;
}

function nameApart(initials: string, namesakes: readonly Named[], taken: Set<string>, labels: Map<number, string>): void {
  const words = namesakes.map(({ name }) => name.trim().split(/\s+/));
  const differing = words[0]!.findIndex((word, index) => words.some((others) => others[index] !== word));
  namesakes.forEach(({ id }, index) => {
    let label = differing < 0 ? `${initials.slice(0, 2)}1` : labelAt(words[index]!, differing);
    for (let number = 1; taken.has(label); number += 1) label = `${initials.slice(0, 2)}${number}`;
    taken.add(label);
    labels.set(id, label);
  });
}

/** The first letter of the name, and the beginning of the word that differs; of a number its end. */
function labelAt(words: readonly string[], differing: number): string {
  const word = words[differing] ?? words.at(-1) ?? "";
  const number = /\d+/.exec(word)?.[0].slice(-2);
  if (differing === 0) return number ?? `${word.slice(0, 1).toLocaleUpperCase()}${word.slice(1, 2)}${initialsOf(words.slice(1).at(-1) ?? "")}`;
  return initialsOf(words[0]!) + (number ?? `${word.slice(0, 1).toLocaleUpperCase()}${word.slice(1, 2)}`);
}
