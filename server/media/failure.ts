/** Typed failure of media work, with a code for programs and a sentence for people. */

/** Failure codes and their texts. `retry` is true if another run can succeed. */
export const FAILURES = {
  empty: { retry: false, text: "The file is empty." },
  "not-media": { retry: false, text: "The content is not audio, video or an image." },
  "not-supported": { retry: false, text: "This format is not supported." },
  "no-sound": { retry: false, text: "No sound was found in the file." },
  damaged: { retry: false, text: "The file is damaged and could not be decoded." },
  "no-copy": { retry: false, text: "No streaming copy of this file could be made. The original can still be played where the browser supports it." },
  "too-large-image": { retry: false, text: "The image has too many pixels to be opened safely." },
  missing: { retry: true, text: "The stored file could not be read." },
  "disk-full": { retry: true, text: "There is no space left to write the results." },
  "too-dense": { retry: false, text: "This file decodes to far more than its size suggests, so it was not processed." },
  "too-much-output": { retry: false, text: "Processing this file would take far more storage than its size suggests, so it was stopped." },
  "too-long": { retry: false, text: "Processing took longer than allowed and was stopped." },
  stalled: { retry: true, text: "Processing stalled and was stopped." },
  "out-of-memory": { retry: false, text: "Processing needed more memory than allowed and was stopped." },
  killed: { retry: true, text: "Processing was interrupted." },
  crashed: { retry: true, text: "The media engine crashed on this file." },
  aborted: { retry: true, text: "Processing was canceled." },
  "engine-missing": { retry: false, text: "The media engine is not installed on this machine." },
} as const;

export type FailureCode = keyof typeof FAILURES;

export class MediaFailure extends Error {
  readonly code: FailureCode;
  readonly retry: boolean;
  /** Message from the engine, for the log only and never shown to people. */
  readonly detail: string;

  /** `text` replaces the standard sentence when the caller has a more specific one. */
  constructor(code: FailureCode, detail = "", text?: string) {
    super(text ?? FAILURES[code].text);
    this.name = "MediaFailure";
    this.code = code;
    this.retry = FAILURES[code].retry;
    this.detail = detail;
  }
}

/** Serialized failure sent from the media process. */
export interface WireFailure {
  code: FailureCode;
  text: string;
  detail: string;
}

/** Throws `engine-missing` when a module of the engine fails to load. */
export function throwEngineMissing(error: unknown): never {
  throw new MediaFailure("engine-missing", error instanceof Error ? error.message : String(error));
}

export const toWire = (error: unknown): WireFailure => {
  if (error instanceof MediaFailure) return { code: error.code, text: error.message, detail: error.detail };
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (code === "ENOSPC" || code === "EDQUOT") return { code: "disk-full", text: FAILURES["disk-full"].text, detail };
  if (code === "ENOENT" || code === "EACCES" || code === "EISDIR") return { code: "missing", text: FAILURES.missing.text, detail };
  return { code: "crashed", text: FAILURES.crashed.text, detail };
};

export const fromWire = (wire: WireFailure): MediaFailure => new MediaFailure(wire.code, wire.detail, wire.text);
