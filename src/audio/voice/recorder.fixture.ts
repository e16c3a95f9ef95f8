/** A browser under the recorder: what it keeps, and a microphone that says what a test wants. */
import type { Microphone, MicrophoneListener } from "./microphone.ts";
import type { Note } from "./shelf.ts";

/** What a browser keeps while pages come and go. */
export function browserShelf() {
  const notes = new Map<string, Note>();
  const chunks = new Map<string, Map<number, Blob>>();
  const holders = new Map<string, object>();
  const shelf = {
    full: false,
    /** So many questions fail. */
    silent: 0,
    removing: Promise.resolve(),
    /** Another page over the same data. */
    of(page: object) {
      return {
        async keep(note: Note, chunk: { index: number; bytes: Blob } | null) {
          if (shelf.full) throw new DOMException("", "QuotaExceededError");
          if (chunk) {
            chunks.set(note.id, (chunks.get(note.id) ?? new Map<number, Blob>()).set(chunk.index, chunk.bytes));
            // Two writings: whatever comes between them must not be undone.
            for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
          }
          notes.set(note.id, note);
        },
        async notes(service: string) {
          if (shelf.silent > 0) throw new Error(`IndexedDB ${(shelf.silent -= 1)}`);
          return [...notes.values()].filter((note) => note.service === service);
        },
        async read(id: string) {
          const note = notes.get(id);
          return note ? { note, bytes: new Blob([...(chunks.get(id) ?? new Map<number, Blob>()).values()], { type: note.type }) } : null;
        },
        async remove(id: string) {
          await shelf.removing;
          notes.delete(id);
          chunks.delete(id);
        },
        async hold(id: string, signal?: AbortSignal) {
          while (signal && holders.has(id)) {
            await new Promise((resolve) => setTimeout(resolve));
            if (signal.aborted) return null;
          }
          if (holders.has(id)) return null;
          holders.set(id, page);
          return () => void holders.delete(id);
        },
      };
    },
    /** The page is gone without a word. */
    crash: (page: object) => holders.forEach((holder, id) => holder === page && holders.delete(id)),
    notes,
  };
  return shelf;
}

export function fakeMicrophone() {
  const microphone = {
    device: "Fake",
    input: "fake",
    missing: false,
    type: "audio/webm;codecs=opus",
    listener: null as MicrophoneListener | null,
    closed: 0,
    loudness: 0.4 as number | null,
    record: (listener: MicrophoneListener) => void (microphone.listener = listener),
    level: () => microphone.loudness,
    stop() {
      microphone.listener?.chunk(new Blob(["end"]));
      queueMicrotask(() => microphone.listener?.ended());
    },
    close: () => void (microphone.closed += 1),
  };
  return microphone satisfies Microphone;
}
