/** Simulates the recorder's browser: its storage, and a microphone that the test controls. */
import type { Microphone, MicrophoneListener } from "./microphone.ts";
import type { RecordingMetadata } from "./recording-storage.ts";

/** Storage that outlives its pages. */
export function createFakeStorage() {
  const recordings = new Map<string, RecordingMetadata>();
  const chunks = new Map<string, Map<number, Blob>>();
  const lockOwners = new Map<string, object>();
  const storage = {
    isFull: false,
    /** Number of calls that fail. */
    failingCalls: 0,
    removing: Promise.resolve(),
    /** Returns the storage as another page sees it. */
    forPage(page: object) {
      return {
        async save(metadata: RecordingMetadata, chunk: { index: number; bytes: Blob } | null) {
          if (storage.isFull) throw new DOMException("", "QuotaExceededError");
          if (chunk) {
            chunks.set(metadata.id, (chunks.get(metadata.id) ?? new Map<number, Blob>()).set(chunk.index, chunk.bytes));
            // Like the browser's storage, this takes two writes, between which other operations can run.
            for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
          }
          recordings.set(metadata.id, metadata);
        },
        async listMetadata(service: string) {
          if (storage.failingCalls > 0) throw new Error(`IndexedDB ${(storage.failingCalls -= 1)}`);
          return [...recordings.values()].filter((metadata) => metadata.service === service);
        },
        async read(id: string) {
          const metadata = recordings.get(id);
          return metadata ? { metadata, bytes: new Blob([...(chunks.get(id) ?? new Map<number, Blob>()).values()], { type: metadata.type }) } : null;
        },
        async remove(id: string) {
          await storage.removing;
          recordings.delete(id);
          chunks.delete(id);
        },
        async acquireLock(id: string, signal?: AbortSignal) {
          while (signal && lockOwners.has(id)) {
            await new Promise((resolve) => setTimeout(resolve));
            if (signal.aborted) return null;
          }
          if (lockOwners.has(id)) return null;
          lockOwners.set(id, page);
          return () => void lockOwners.delete(id);
        },
      };
    },
    /** Simulates a page that crashes. */
    crash: (page: object) => lockOwners.forEach((lockOwner, id) => lockOwner === page && lockOwners.delete(id)),
    recordings,
  };
  return storage;
}

export function fakeMicrophone() {
  const microphone = {
    device: "Fake",
    input: "fake",
    isFallbackInput: false,
    type: "audio/webm;codecs=opus",
    listener: null as MicrophoneListener | null,
    closeCount: 0,
    loudness: 0.4 as number | null,
    record: (listener: MicrophoneListener) => void (microphone.listener = listener),
    level: () => microphone.loudness,
    stop() {
      microphone.listener?.chunk(new Blob(["end"]));
      queueMicrotask(() => microphone.listener?.ended());
    },
    close: () => void (microphone.closeCount += 1),
  };
  return microphone satisfies Microphone;
}
