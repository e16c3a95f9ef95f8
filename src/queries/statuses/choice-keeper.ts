/**
 * Keeps what was chosen until it counts, sends it, and tells what became of it. Outside React: it goes on in every view.
 * Decision 019 says what holds when its page is closed, hidden or without a network.
 */
import type { FileStatus } from "../../../contract/records.ts";
import type { ChoiceShelf, KeptChoice } from "./choice-shelf.ts";
import { afterDue, choose, isKept, settle, without, withState, type Choice, type ChoiceState, type Choices, type ChosenFile, type Outcome } from "./choices.ts";

export interface KeeperDeps {
  /** Sends one file's choice. Never rejects. */
  send(choice: Choice, file: ChosenFile): Promise<Outcome>;
  /** The status that a file has now; undefined where nobody says. */
  standing(fileId: number): Promise<FileStatus | null | undefined>;
  shelf: ChoiceShelf;
  /** Keeps a choice from other pages until the way to let go is called. One that is read from the shelf may be another page's: `mine` says when it is not. */
  claim(id: string, found?: { kept: KeptChoice; mine(): void }): () => void;
  newId(): string;
}

export interface ChoiceKeeper {
  all(): Choices;
  onChange(listener: () => void): () => void;
  /** Calls back with files that have got their status. */
  onDone(listener: (choice: Choice) => void): () => void;
  /** From now on it counts down. Answers the choice, or null where every file has this status already. */
  choose(teamId: number, files: readonly ChosenFile[], status: FileStatus, note?: string): Choice | null;
  /** Nothing of it is sent; with `fileId` of this file alone. */
  drop(id: string, fileId?: number): void;
  /** Sends what was overtaken, left or waits. */
  sendNow(id: string): void;
  /** The page's person goes: nothing is sent any more, what is kept is told when they are back. */
  end(): void;
}

/** As many requests at a time. */
const AT_ONCE = 4;
const AGAIN_MS = 3_000;
const AGAIN_MOST_MS = 30_000;

export function createChoiceKeeper({ send, standing, shelf, claim, newId }: KeeperDeps): ChoiceKeeper {
  let choices: Choices = [];
  let ended = false;
  const listeners = new Set<() => void>();
  const doneListeners = new Set<(choice: Choice) => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const claims = new Map<string, () => void>();

  function set(next: Choices): void {
    const before = new Map(choices.map((choice) => [choice.id, choice]));
    choices = next;
    const now = new Set(next.map(({ id }) => id));
    for (const choice of next) {
      if (before.get(choice.id) === choice) continue;
      // Before other tabs can read of it.
      if (!claims.has(choice.id)) claims.set(choice.id, claim(choice.id));
      if (isKept(choice)) shelf.put(choice);
      else shelf.remove(choice.id);
      if (before.get(choice.id)?.state !== choice.state) schedule(choice);
    }
    for (const id of before.keys()) if (!now.has(id)) forget(id);
    for (const listener of listeners) listener();
  }
  function forget(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    shelf.remove(id);
    claims.get(id)?.();
    claims.delete(id);
  }
  const find = (id: string) => choices.find((choice) => choice.id === id);
  const become = (id: string, state: ChoiceState) => set(withState(choices, id, state));

  function schedule({ id, state }: Choice): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    if (state.is === "counting") {
      const { due } = state;
      timers.set(
        id,
        setTimeout(() => go(id, afterDue(due, Date.now())), due - Date.now()),
      );
    }
    if (state.is === "waiting") {
      const wait = Math.min(AGAIN_MOST_MS, AGAIN_MS * 2 ** (state.tries - 1));
      timers.set(
        id,
        setTimeout(() => go(id, { is: "sending" }, state.tries), wait),
      );
    }
  }
  function go(id: string, state: ChoiceState, tries = 0): void {
    become(id, state);
    const choice = find(id);
    if (choice && state.is === "sending") void work(choice, tries);
  }
  async function work(choice: Choice, tries: number): Promise<void> {
    const outcomes = new Map<number, Outcome>();
    const open = [...choice.files];
    const one = async () => {
      for (let file = open.shift(); file && !ended; file = open.shift()) {
        const outcome = await send(choice, file);
        outcomes.set(file.id, outcome);
        // Without a network the rest would only wait for its time to run out.
        if (outcome.is === "away") open.length = 0;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    if (ended) return;
    const done = choice.files.filter(({ id }) => outcomes.get(id)?.is === "done");
    const next = settle(choices, choice.id, outcomes, newId);
    set(next.map((after) => (after.id === choice.id && after.state.is === "waiting" ? { ...after, state: { is: "waiting", tries: tries + 1 } } : after)));
    if (done.length > 0) for (const listener of doneListeners) listener({ ...choice, files: done });
  }

  /** What an earlier page has left, once no page has it any more. */
  function look(): void {
    const stored = shelf.all();
    const ids = new Set(stored.map(({ id }) => id));
    // Another page has taken care of what this one offered, where nothing could keep them apart.
    const gone = choices.filter(({ id, state }) => state.is === "left" && !ids.has(id));
    if (gone.length > 0) set(choices.filter((choice) => !gone.includes(choice)));
    for (const kept of stored) {
      const { id } = kept;
      if (!claims.has(id)) claims.set(id, claim(id, { kept, mine: () => void adopt(id) }));
    }
  }
  async function adopt(id: string): Promise<void> {
    const letGo = () => {
      claims.get(id)?.();
      claims.delete(id);
    };
    const stored = () => shelf.all().find((choice) => choice.id === id);
    const found = ended ? undefined : stored();
    if (!found) return letGo();
    const stands = await Promise.all(found.files.map(async (file) => ({ file, now: await standing(file.id).catch(() => undefined) })));
    if (ended || !stored()) return letGo();
    // It was sent, and its answer was lost with its page.
    const files = stands.flatMap(({ file, now }) => (now?.id === found.status.id ? [] : [now === undefined ? file : { ...file, before: now }]));
    if (files.length === 0) forget(id);
    else set([...choices, { ...found, files, state: { is: "left" } }]);
  }

  const again = () => {
    for (const { id, state } of choices) if (state.is === "waiting") go(id, { is: "sending" }, state.tries);
  };
  globalThis.addEventListener?.("online", again);
  const unhear = shelf.onOther(() => !ended && look());
  look();

  return {
    all: () => choices,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onDone(listener) {
      doneListeners.add(listener);
      return () => doneListeners.delete(listener);
    },
    choose(teamId, files, status, note = "") {
      const id = newId();
      set(choose(choices, { id, teamId, files, status, note }, Date.now()));
      return find(id) ?? null;
    },
    drop(id, fileId) {
      const choice = find(id);
      if (!choice || choice.state.is === "sending") return;
      const files = fileId === undefined ? choice.files.map((file) => file.id) : [fileId];
      set(without(choices, new Set(files), (one) => one === choice));
    },
    sendNow(id) {
      const state = find(id)?.state.is;
      if (state !== undefined && state !== "sending" && state !== "refused") go(id, { is: "sending" });
    },
    end() {
      ended = true;
      globalThis.removeEventListener?.("online", again);
      unhear();
      for (const timer of timers.values()) clearTimeout(timer);
      // What is kept stays kept; whoever looks next finds that nobody has it.
      for (const letGo of claims.values()) letGo();
      claims.clear();
      choices = [];
      for (const listener of listeners) listener();
    },
  };
}
