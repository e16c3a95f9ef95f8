/** What was recorded and is not sent: shown by one tab while its chat is open there, kept by the browser, brought back for a moment once thrown away. */
import type { Owner } from "./recording.ts";
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

export interface DraftsDeps {
  shelf: Shelf;
  service(): string;
  after(callback: () => void, ms: number): void;
}

/** How long something thrown away can be brought back. */
const UNDO_MS = 10_000;
/** A shelf that does not answer is asked again. */
const AGAIN_MS = 2_000;
const TRIES = 5;

export function createDrafts({ shelf, service, after }: DraftsDeps, tell: () => void) {
  let all: readonly VoiceDraft[] = [];
  let visible: readonly VoiceDraft[] = [];
  let discarded: VoiceDraft | null = null;
  /** The chat that is open. */
  let shown: { owner: Owner; leaving: AbortController } | null = null;
  /** Messages of the outbox, as long as nobody else keeps their bytes. */
  const given = new Set<string>();
  /** Recorded by this page. */
  const mine = new Set<string>();
  /** How many chunks of a recording the browser has: none is written before those in front of it. */
  const written = new Map<string, number>();
  const releases = new Map<string, Promise<(() => void) | null>>();

  /** One after the other: what is written late must not undo what came after it. */
  let writing: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = writing.then(work);
    writing = done.catch(() => undefined);
    return done;
  }

  function set(next: readonly VoiceDraft[]): void {
    all = next.toSorted((a, b) => a.note.startedAt - b.note.startedAt);
    visible = all.filter(({ note }) => !given.has(note.id));
    tell();
  }
  const find = (id: string) => all.find(({ note }) => note.id === id);
  const without = (id: string) => all.filter(({ note }) => note.id !== id);
  const put = (draft: VoiceDraft) => set([...without(draft.note.id), draft]);
  const isShown = ({ accountId, projectId }: Owner) => shown?.owner.accountId === accountId && shown.owner.projectId === projectId;

  function hold(id: string): void {
    mine.add(id);
    releases.set(
      id,
      shelf.hold(id).catch(() => null),
    );
  }
  function free(id: string): void {
    void releases.get(id)?.then((release) => release?.());
    releases.delete(id);
  }

  function mark(id: string, kept: boolean): void {
    const draft = find(id);
    if (draft && draft.kept !== kept) put({ ...draft, kept });
  }
  /** Answers whether the browser has it now: all of `chunks`, or where they are not told the note alone. */
  async function keep(note: Note, chunks: readonly Blob[] | null): Promise<boolean> {
    const { id } = note;
    const kept = await inTurn(async () => {
      for (let index = written.get(id) ?? 0; index < (chunks?.length ?? 0); index += 1) {
        await shelf.keep(note, { index, bytes: chunks![index]! });
        written.set(id, index + 1);
      }
      await shelf.keep(note, null);
      return true;
    }).catch(() => false);
    if (!kept || chunks) mark(id, kept);
    return kept;
  }

  function drop(id: string): void {
    given.delete(id);
    written.delete(id);
    set(without(id));
    // Not before it is gone: whoever holds it next would offer it.
    void inTurn(() => shelf.remove(id))
      .catch(() => undefined)
      .then(() => free(id));
  }

  /** What the browser keeps is for whatever tab opens its chat next. */
  function letGo(): void {
    void inTurn(async () => undefined).then(() => {
      const left = all.filter(({ note, kept }) => kept && !given.has(note.id) && !isShown(note));
      if (left.length === 0) return;
      set(all.filter((draft) => !left.includes(draft)));
      for (const { note } of left) free(note.id);
    });
  }

  async function takeUp(owner: Owner, signal: AbortSignal, tries: number): Promise<void> {
    const again = () => tries > 0 && after(() => !signal.aborted && void takeUp(owner, signal, tries - 1), AGAIN_MS);
    const notes = await inTurn(() => shelf.notes(service())).catch(() => null);
    if (signal.aborted) return;
    if (!notes) return void again();
    for (const { id, discarded: thrownAway, accountId, projectId } of notes) {
      if (releases.has(id)) continue;
      // Of whomever: its tab is gone, and so is the moment.
      if (thrownAway) void shelf.hold(id).then((release) => release && remove(id, release));
      else if (accountId === owner.accountId && projectId === owner.projectId) void takeOver(id, signal).catch(again);
    }
  }
  const remove = (id: string, release: () => void) => void inTurn(() => shelf.remove(id)).then(release, release);

  /** Waits for the tab that has it, which may be about to go. */
  async function takeOver(id: string, signal: AbortSignal): Promise<void> {
    const release = await shelf.hold(id, signal);
    if (!release) return;
    if (signal.aborted || releases.has(id)) return release();
    releases.set(id, Promise.resolve(release));
    const there = await inTurn(() => shelf.read(id)).catch((error: unknown) => {
      free(id);
      throw error;
    });
    if (!there || there.note.discarded || there.bytes.size === 0) drop(id);
    else put({ ...there, found: !mine.has(id), kept: true });
    if (signal.aborted) letGo();
  }

  /** Can be brought back for a moment. */
  function putAside(draft: VoiceDraft): void {
    if (discarded) drop(discarded.note.id);
    discarded = draft;
    set(without(draft.note.id));
    after(() => {
      if (discarded !== draft) return;
      discarded = null;
      drop(draft.note.id);
    }, UNDO_MS);
  }

  function leave(): void {
    shown?.leaving.abort();
    shown = null;
    letGo();
  }

  return {
    visible: () => visible,
    discarded: () => discarded,
    /** Something would be lost with the page. */
    hasUnkept: () => all.some(({ kept }) => !kept),
    hold,
    keep,
    drop,
    putAside,
    add(draft: VoiceDraft) {
      put(draft);
      letGo();
    },
    /** The chat of somebody is open: takes up what they have recorded there in tabs that are gone. */
    look(owner: Owner) {
      if (isShown(owner)) return;
      leave();
      const leaving = new AbortController();
      shown = { owner, leaving };
      void takeUp(owner, leaving.signal, TRIES);
    },
    /** The chat is closed: other tabs may take up what waits there. */
    leave,
    /** Throws a draft away; it can be brought back for a moment. */
    discard(id: string) {
      const draft = find(id);
      if (!draft) return;
      void keep({ ...draft.note, discarded: true }, null);
      putAside(draft);
    },
    restore() {
      if (!discarded) return;
      const draft = { ...discarded, note: { ...discarded.note, discarded: false } };
      discarded = null;
      put(draft);
      void keep(draft.note, null);
    },
    /** It is a message now: shown no more at once, and forgotten where `kept` answers that somebody else has its bytes. */
    async handOver(id: string, kept: Promise<boolean>) {
      given.add(id);
      set(all);
      const safe = await kept.catch(() => false);
      // It may have been taken back.
      if (!given.delete(id)) return;
      if (safe) return drop(id);
      set(all);
      letGo();
    },
    /** Its message is given up: it is a draft again. */
    async takeBack(recorded: Omit<Note, "service" | "discarded" | "takenBack">, bytes: Blob) {
      const note: Note = { ...recorded, service: service(), discarded: false, takenBack: true };
      given.delete(note.id);
      if (find(note.id)) return put({ ...find(note.id)!, note });
      hold(note.id);
      put({ note, bytes, found: false, kept: true });
      await keep(note, [bytes]);
    },
  };
}
