/** The one recorder of the page: outside React, keeps what it records as it comes, and what was recorded until it is sent or thrown away. */
import { createDrafts, type VoiceDraft } from "./drafts.ts";
import { createLevels, type Levels } from "./levels.ts";
import { MicrophoneError, type Microphone } from "./microphone.ts";
import { IDLE, step, type Ending, type Happening, type Owner, type Recording } from "./recording.ts";
import type { Note, Shelf } from "./shelf.ts";

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

/** A recorder that was stopped and does not answer is given up, with what it has told. */
const ENDS_WITHIN_MS = 3_000;

interface Tape {
  note: Note;
  microphone: Microphone;
  levels: Levels;
  chunks: Blob[];
  began: number;
  /** False once the browser has refused some of it. */
  kept: boolean;
  /** On the recorder's clock; null while it goes on. */
  ended: number | null;
  /** It is made once more: nothing is left of this one. */
  again: boolean;
  /** Its chat was closed. */
  left: boolean;
  stopTicking(): void;
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(deps: RecorderDeps) {
  let state = IDLE;
  let tape: Tape | null = null;
  /** A press that was taken back while the microphone was asked for must not record. */
  let press = 0;
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  const drafts = createDrafts(deps, tell);

  function happen(happening: Happening): void {
    const before = state;
    state = step(state, happening);
    if (state === before) return;
    if (state.phase === "ending" && before.phase === "recording" && tape) {
      const ending = tape;
      ending.ended ??= deps.clock();
      deps.after(() => void finish(ending), ENDS_WITHIN_MS);
      ending.microphone.stop();
    }
    if (state.phase === "idle" && before.phase !== "idle") deps.quiet(false);
    tell();
  }

  async function start(owner: Owner): Promise<void> {
    if (state.phase !== "idle") return;
    press += 1;
    const mine = press;
    drafts.look(owner);
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
    const { device, input, missing, type } = microphone;
    const id = deps.newId();
    const note: Note = { id, service: deps.service(), ...owner, type, startedAt: deps.now(), seconds: 0, wave: [], discarded: false };
    const fresh: Tape = {
      note,
      microphone,
      levels: createLevels(),
      chunks: [],
      kept: true,
      began: deps.clock(),
      ended: null,
      again: false,
      left: false,
      stopTicking: deps.every(() => tick(fresh)),
    };
    tape = fresh;
    drafts.hold(id);
    happen({ type: "opened", device, input, missing });
    try {
      microphone.record({
        chunk: (bytes) => keep(fresh, bytes),
        muted: (muted) => tape === fresh && happen({ type: "muted", muted }),
        lost(why) {
          if (tape !== fresh) return;
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
    if (tape !== of) return;
    of.chunks.push(bytes);
    of.note = { ...of.note, seconds: secondsOf(of), wave: of.levels.wave() };
    void save(of, of.note);
  }

  async function save(of: Tape, note: Note): Promise<void> {
    of.kept = await drafts.keep(note, of.chunks);
    if (!of.kept && tape === of) happen({ type: "unkept" });
  }

  async function finish(of: Tape): Promise<void> {
    if (tape !== of) return;
    tape = null;
    of.stopTicking();
    of.microphone.close();
    const seconds = secondsOf(of);
    const canceled = state.ending === "canceled";
    const note = { ...of.note, seconds, wave: of.levels.wave(), discarded: canceled };
    const draft: VoiceDraft = { note, bytes: new Blob(of.chunks, { type: note.type }), found: false, kept: of.kept };
    // Nobody has ended what only begins anew.
    happen({ type: "ended", seconds: of.again ? 0 : seconds, id: note.id });
    // Too short, or without a byte: nothing is left of it.
    if (of.again || state.outcome === null || state.outcome.why === "short" || draft.bytes.size === 0) drafts.drop(note.id);
    else {
      void save(of, note);
      if (canceled) drafts.putAside(draft);
      else drafts.add(draft);
    }
    if (of.again && !of.left) await start({ accountId: note.accountId, projectId: note.projectId });
  }

  function end(why: Ending): void {
    if (state.phase === "asking") press += 1;
    // Nobody is there for another one.
    if (why === "left" && tape) tape.left = true;
    happen({ type: "end", why });
  }

  return {
    state: (): Recording => state,
    /** Of an account, the oldest first; the same array until something changes. */
    drafts: drafts.visible,
    discarded: drafts.discarded,
    /** Something would be lost with the page. */
    hasUnkept: () => (state.phase !== "idle" && !state.kept) || drafts.hasUnkept(),
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
    /** Shows and takes up what was recorded in a chat, while that is open. */
    look: drafts.look,
    /** The chat is closed: what is recorded for it ends, and waits for whatever tab opens it next. */
    leave(owner: Owner) {
      if (state.owner?.accountId === owner.accountId && state.owner.projectId === owner.projectId) end("left");
      drafts.leave();
    },
    discard: drafts.discard,
    restore() {
      drafts.restore();
      happen({ type: "dismiss" });
    },
    handOver(id: string, kept: Promise<boolean>) {
      happen({ type: "dismiss" });
      return drafts.handOver(id, kept);
    },
    takeBack: drafts.takeBack,
    /** It is with the service. */
    forget: drafts.drop,
  };
}
