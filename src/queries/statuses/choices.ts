/** Statuses that somebody has chosen and that do not count yet: what becomes of them, as plain changes of a list. */
import type { FileStatus } from "../../../contract/records.ts";

/** As long a choice can be taken back, and nothing of it has left this page. */
export const UNDO_MS = 5_000;
/** A page that slept past the end for longer than this has not shown that it could be taken back: then it asks. */
const LATE_MS = 5_000;

export interface ChosenFile {
  id: number;
  name: string;
  /** What its person saw when they chose: somebody else may have chosen since. */
  before: FileStatus | null;
}

export type ChoiceState =
  /** `due` in epoch milliseconds: when it is sent. */
  | { is: "counting"; due: number }
  | { is: "sending" }
  /** The service cannot be reached. */
  | { is: "waiting"; tries: number }
  /** Somebody else was faster: `before` of its files is what they chose. */
  | { is: "overtaken" }
  | { is: "refused"; reason: string }
  /** Its page was closed, or slept, before it counted. */
  | { is: "left" };

export interface Choice {
  id: string;
  teamId: number;
  status: FileStatus;
  note: string;
  /** One or more. */
  files: readonly ChosenFile[];
  state: ChoiceState;
}
export type Choices = readonly Choice[];

export type Outcome = { is: "done" } | { is: "away" } | { is: "overtaken"; now: FileStatus | null } | { is: "refused"; reason: string };

/** What is under way to the service ends by itself. */
const isOpen = ({ state }: Choice) => state.is !== "sending";

/** Without these files; a choice that has none left is gone. */
export function without(choices: Choices, fileIds: ReadonlySet<number>, which: (choice: Choice) => boolean = isOpen): Choices {
  return choices.flatMap((choice) => {
    if (!which(choice) || !choice.files.some(({ id }) => fileIds.has(id))) return [choice];
    const files = choice.files.filter(({ id }) => !fileIds.has(id));
    return files.length === 0 ? [] : [{ ...choice, files }];
  });
}

/** A new choice takes the place of older ones of the same files. What a file has already is only the older one taken back. */
export function choose(choices: Choices, next: Omit<Choice, "state">, now: number): Choices {
  const rest = without(choices, new Set(next.files.map(({ id }) => id)));
  const under = new Map(choices.filter(({ state }) => state.is === "sending").flatMap(({ files, status }) => files.map(({ id }) => [id, status] as const)));
  const files = next.files.map((file) => ({ ...file, before: under.get(file.id) ?? file.before })).filter(({ before }) => before?.id !== next.status.id);
  return files.length === 0 ? rest : [...rest, { ...next, files, state: { is: "counting", due: now + UNDO_MS } }];
}

export const withState = (choices: Choices, id: string, state: ChoiceState): Choices =>
  choices.map((choice) => (choice.id === id ? { ...choice, state } : choice));

/** What its time brings: it is sent, or, where nobody could see that time pass, asks first. */
export const afterDue = (due: number, now: number): ChoiceState => (now - due > LATE_MS ? { is: "left" } : { is: "sending" });

/** What the service has said of each file. Those that need a word stand apart, by what they need; `newId` names what is split off. */
export function settle(choices: Choices, id: string, outcomes: ReadonlyMap<number, Outcome>, newId: () => string): Choices {
  return choices.flatMap((choice) => {
    if (choice.id !== id) return [choice];
    const parts = Map.groupBy(
      choice.files.filter((file) => (outcomes.get(file.id)?.is ?? "away") !== "done"),
      (file) => keyOf(outcomes.get(file.id) ?? { is: "away" }),
    );
    return [...parts].map(([key, files], index): Choice => {
      const outcome = outcomes.get(files[0]!.id) ?? { is: "away" };
      const told = files.map((file) => ({ ...file, before: nowOf(outcomes.get(file.id), file.before) }));
      return { ...choice, id: index === 0 ? id : newId(), files: told, state: stateAfter(outcome, key) };
    });
  });
}

const keyOf = (outcome: Outcome): string => (outcome.is === "refused" ? `refused ${outcome.reason}` : outcome.is);
const nowOf = (outcome: Outcome | undefined, before: FileStatus | null) => (outcome?.is === "overtaken" ? outcome.now : before);

function stateAfter(outcome: Outcome, key: string): ChoiceState {
  if (outcome.is === "refused") return { is: "refused", reason: outcome.reason };
  return key === "overtaken" ? { is: "overtaken" } : { is: "waiting", tries: 1 };
}

/** What a file's place shows: the status that is chosen for it and counts down, or is under way. */
export const choiceFor = (choices: Choices, fileId: number): Choice | undefined =>
  choices.findLast(
    ({ files, state }) => (state.is === "counting" || state.is === "sending" || state.is === "waiting") && files.some(({ id }) => id === fileId),
  );

/** The newest that can still be taken back before anything is sent. */
export const undoable = (choices: Choices): Choice | undefined => choices.findLast(({ state }) => state.is === "counting");

/** Whether it outlives its page: what was told already needs not be told again. */
export const isKept = ({ state }: Choice): boolean => state.is !== "overtaken" && state.is !== "refused";

/** Whole seconds until then, at least one: "in 0 s" would be a lie as long as it can be taken back. */
export const secondsUntil = (due: number, now: number): number => Math.max(1, Math.ceil((due - now) / 1_000));
