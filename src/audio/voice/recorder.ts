/** The one recorder of the page: outside React, keeps what it records as it comes, and what was recorded until it is sent or thrown away. */
import { createLevels, type Levels } from "./levels.ts";
import { MicrophoneError, type Microphone } from "./microphone.ts";
import { IDLE, step, type Ending, type Happening, type Owner, type Recording } from "./recording.ts";
import type { Note, Shelf } from "./shelf.ts";

/** Something recorded that is not sent. */
export interface VoiceDraft {
  note: Note;
  bytes: Blob;
  /** From an earlier page: a reload or a crash came between. */
  found: boolean;
  /** False where the browser has no room for it: then it lives as long as the page. */
  kept: boolean;
}

export interface RecorderDeps {
  open(wanted: string | null): Promise<Microphone>;
  /** The input that was chosen last. */
  wanted(): string | null;
  shelf: Shelf;
  service(): string;
  /** Called with true before a recording begins and with false when nothing is recorded any more. */
  quiet(on: boolean): void;
  /** Calls back again and again; returns the way to stop. */
  every(callback: () => void): () => void;
  after(callback: () => void, ms: number): void;
  newId(): string;
  /** Milliseconds that only run forward. */
  clock(): number;
  now(): number;
}

/** How long something thrown away can be brought back. */
const UNDO_MS = 10_000;

interface Tape {
  note: Note;
  microphone: Microphone;
  levels: Levels;
  chunks: Blob[];
  began: number;
  /** On the recorder's clock; null while it goes on. */
  ended: number | null;
  release: Promise<(() => void) | null>;
  /** It is made once more: nothing is left of this one. */
  again: boolean;
  stopTicking(): void;
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(deps: RecorderDeps) {
  let state = IDLE;
  let drafts: readonly VoiceDraft[] = [];
  let discarded: VoiceDraft | null = null;
  let tape: Tape | null = null;
  /** A press that was taken back while the microphone was asked for must not record. */
  let press = 0;
  const releases = new Map<string, () => void>();
  const listeners = new Set<() => void>();
  /** One after the other: what is written late must not undo what came after it. */
  let writing: Promise<unknown> = Promise.resolve();
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = writing.then(work);
    writing = done.catch(() => undefined);
    return done;
  }
  /** Where it fails, what it would have saved is lost with the page alone. */
  const quietly = (work: () => Promise<void>) => void inTurn(work).catch(() => undefined);
  const tell = () => listeners.forEach((listener) => listener());

  function happen(happening: Happening): void {
    const before = state;
    state = step(state, happening);
    if (state === before) return;
    if (state.phase === "ending" && before.phase === "recording" && tape) {
      tape.ended ??= deps.clock();
      tape.microphone.stop();
    }
    if (state.phase === "idle" && before.phase !== "idle") deps.quiet(false);
    tell();
  }

  async function start(owner: Owner): Promise<void> {
    if (state.phase !== "idle") return;
    press += 1;
    const mine = press;
    deps.quiet(true);
    happen({ type: "press", owner });
    let microphone: Microphone;
    try {
      microphone = await deps.open(deps.wanted());
    } catch (error) {
      if (mine === press) happen({ type: "fault", fault: error instanceof MicrophoneError ? error.fault : "failed" });
      return;
    }
    // It was taken back meanwhile.
    if (mine !== press) return microphone.close();
    const { device, missing, type } = microphone;
    const id = deps.newId();
    const note: Note = { id, service: deps.service(), ...owner, type, startedAt: deps.now(), seconds: 0, wave: [], discarded: false };
    const fresh: Tape = {
      note,
      microphone,
      levels: createLevels(),
      chunks: [],
      began: deps.clock(),
      ended: null,
      again: false,
      release: deps.shelf.hold(id).catch(() => null),
      stopTicking: deps.every(() => tick(fresh)),
    };
    tape = fresh;
    happen({ type: "opened", device, missing });
    try {
      microphone.record({
        chunk: (bytes) => keep(fresh, bytes),
        muted: (muted) => happen({ type: "muted", muted }),
        lost(why) {
          fresh.ended ??= deps.clock();
          happen({ type: "end", why });
        },
        ended: () => void finish(fresh),
      });
    } catch {
      happen({ type: "end", why: "broken" });
      await finish(fresh);
    }
  }

  const secondsOf = ({ began, ended }: Tape) => ((ended ?? deps.clock()) - began) / 1_000;

  function tick(of: Tape): void {
    const seconds = secondsOf(of);
    const level = of.microphone.level();
    of.levels.note(seconds, level ?? 0);
    happen({ type: "tick", seconds, level });
  }

  function keep(of: Tape, bytes: Blob): void {
    of.chunks.push(bytes);
    of.note = { ...of.note, seconds: secondsOf(of), wave: of.levels.wave() };
    const { note } = of;
    const index = of.chunks.length - 1;
    inTurn(() => deps.shelf.keep(note, { index, bytes })).catch(() => happen({ type: "unkept" }));
  }

  async function finish(of: Tape): Promise<void> {
    if (tape !== of) return;
    tape = null;
    of.stopTicking();
    of.microphone.close();
    const seconds = secondsOf(of);
    const release = await of.release;
    if (release) releases.set(of.note.id, release);
    const canceled = state.ending === "canceled";
    const note = { ...of.note, seconds, wave: of.levels.wave(), discarded: canceled };
    const draft: VoiceDraft = { note, bytes: new Blob(of.chunks, { type: note.type }), found: false, kept: state.kept };
    happen({ type: "ended", seconds, id: note.id });
    // Too short, or without a byte: nothing is left of it.
    if (of.again || state.outcome === null || state.outcome.why === "short" || draft.bytes.size === 0) drop(note.id);
    else {
      quietly(() => deps.shelf.keep(note, null));
      if (canceled) putAside(draft);
      else drafts = [...drafts, draft];
    }
    tell();
    if (of.again) await start({ accountId: note.accountId, projectId: note.projectId });
  }

  function drop(id: string): void {
    drafts = drafts.filter(({ note }) => note.id !== id);
    quietly(() => deps.shelf.remove(id));
    releases.get(id)?.();
    releases.delete(id);
  }

  /** Can be brought back for a moment. */
  function putAside(draft: VoiceDraft): void {
    if (discarded) drop(discarded.note.id);
    discarded = draft;
    deps.after(() => {
      if (discarded !== draft) return;
      discarded = null;
      drop(draft.note.id);
      tell();
    }, UNDO_MS);
  }

  function end(why: Ending): void {
    if (state.phase === "asking") press += 1;
    happen({ type: "end", why });
  }

  return {
    state: (): Recording => state,
    /** Of an account, the oldest first; the same array until something changes. */
    drafts: () => drafts,
    discarded: () => discarded,
    /** How loud it was of late, the newest last. */
    recent: (count: number): number[] => tape?.levels.recent(count) ?? [],
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Asks for the microphone and records. */
    start: (owner: Owner) => void start(owner),
    /** Ends what is recorded, or the asking; what was recorded is kept unless it is canceled. */
    end,
    /** Another input was chosen: begins anew with it where nothing was heard yet, and answers true; else what is recorded goes on. */
    again(): boolean {
      if (!tape || state.phase !== "recording" || state.heardAt !== null) return false;
      tape.again = true;
      end("canceled");
      return true;
    },
    /** A fault or an outcome has been read. */
    dismiss: () => happen({ type: "dismiss" }),
    /** Throws a draft away; it can be brought back for a moment. */
    discard(id: string) {
      const draft = drafts.find(({ note }) => note.id === id);
      if (!draft) return;
      drafts = drafts.filter((one) => one !== draft);
      quietly(() => deps.shelf.keep({ ...draft.note, discarded: true }, null));
      putAside(draft);
      tell();
    },
    restore() {
      if (!discarded) return;
      const draft = { ...discarded, note: { ...discarded.note, discarded: false } };
      discarded = null;
      drafts = [...drafts, draft].toSorted((a, b) => a.note.startedAt - b.note.startedAt);
      quietly(() => deps.shelf.keep(draft.note, null));
      happen({ type: "dismiss" });
      tell();
    },
    /** It is a message now: shown no more at once, forgotten when somebody else keeps its bytes. */
    async handOver(id: string, kept: Promise<unknown>) {
      drafts = drafts.filter(({ note }) => note.id !== id);
      happen({ type: "dismiss" });
      tell();
      await kept;
      drop(id);
    },
    /** Takes up what this account has recorded in tabs that are gone. */
    async look(accountId: number) {
      const known = new Set([...drafts.map(({ note }) => note.id), discarded?.note.id, tape?.note.id]);
      const found = await deps.shelf.load(deps.service(), accountId).catch(() => []);
      for (const { note, bytes } of found) {
        if (known.has(note.id) || drafts.some((draft) => draft.note.id === note.id)) continue;
        const release = await deps.shelf.hold(note.id);
        // Another tab records it, or shows it.
        if (!release) continue;
        releases.set(note.id, release);
        if (note.discarded || bytes.size === 0) drop(note.id);
        else drafts = [...drafts, { note, bytes, found: true, kept: true }];
      }
      drafts = drafts.toSorted((a, b) => a.note.startedAt - b.note.startedAt);
      tell();
    },
  };
}
