/** One recording from the press to its end: what may happen and what follows from it, without a browser. */

/** Seconds that a voice note may last, and how long before its end that is told. */
export const MAX_SECONDS = 30 * 60;
export const WARNING_SECONDS = 60;
/** Shorter than this is a slip of the finger. */
export const MIN_SECONDS = 0.4;

/** Peaks below -54 dB of full scale: no microphone is that quiet while somebody speaks. */
const SILENCE_LEVEL = 0.002;
/** Seconds without any sound after which it is said: at the start, and later, where pauses are silenced by the browser. */
const INITIAL_SILENCE_SECONDS = 3;
const SILENCE_SECONDS = 10;

/** Why nothing is recorded. `blocked`: by the system, not by the browser. */
export type MicrophoneErrorCode = "insecure" | "unsupported" | "denied" | "blocked" | "none" | "busy" | "failed";
/** Why it ended. All but `canceled` keep what was recorded. */
export type EndReason = "stopped" | "limit" | "unplugged" | "broken" | "left" | "canceled";

export interface Owner {
  accountId: number;
  projectId: number;
}

export interface Recording {
  /** `asking`: for the microphone; `ending`: the last bytes are still to come. */
  phase: "idle" | "asking" | "recording" | "ending";
  owner: Owner | null;
  /** The microphone's name, "" where the browser tells none. */
  device: string;
  /** Its id. */
  input: string;
  /** The one that was chosen is not there. */
  isFallbackInput: boolean;
  seconds: number;
  /** When something was heard last, in seconds; null: nothing yet. */
  heardAt: number | null;
  /** The system or a switch on the microphone holds its sound back. */
  muted: boolean;
  /** False once the browser cannot keep it: then it lives as long as the page. */
  isPersisted: boolean;
  endReason: EndReason | null;
  error: MicrophoneErrorCode | null;
  /** What the last one came to, until the next press. */
  outcome: { reason: EndReason; seconds: number; id: string } | { reason: "short" } | null;
}

export type RecordingEvent =
  | { type: "press"; owner: Owner }
  | { type: "opened"; device: string; input: string; isFallbackInput: boolean }
  | { type: "fault"; error: MicrophoneErrorCode }
  /** `level`: the loudest since the last one, 0 to 1; null where it cannot be measured. */
  | { type: "tick"; seconds: number; level: number | null }
  | { type: "muted"; muted: boolean }
  /** The browser has no room, or keeps nothing. */
  | { type: "unkept" }
  | { type: "end"; reason: EndReason }
  /** All bytes are there. */
  | { type: "ended"; seconds: number; id: string }
  | { type: "dismiss" };

export const IDLE: Recording = {
  phase: "idle",
  owner: null,
  device: "",
  input: "",
  isFallbackInput: false,
  seconds: 0,
  heardAt: null,
  muted: false,
  isPersisted: true,
  endReason: null,
  error: null,
  outcome: null,
};

/** The recording after something has happened; the same object where that changes nothing. */
export function recordingReducer(recording: Recording, event: RecordingEvent): Recording {
  const { phase } = recording;
  switch (event.type) {
    case "press":
      return phase === "idle" ? { ...IDLE, phase: "asking", owner: event.owner } : recording;
    case "opened":
      return phase === "asking"
        ? { ...recording, phase: "recording", device: event.device, input: event.input, isFallbackInput: event.isFallbackInput }
        : recording;
    case "fault":
      return phase === "asking" ? { ...IDLE, owner: recording.owner, error: event.error } : recording;
    case "tick":
      return phase === "recording" ? applyTick(recording, event) : recording;
    case "muted":
      return phase === "recording" && recording.muted !== event.muted ? { ...recording, muted: event.muted } : recording;
    case "unkept":
      return recording.isPersisted && (phase === "recording" || phase === "ending") ? { ...recording, isPersisted: false } : recording;
    case "end":
      // Nothing was recorded while the microphone was asked for.
      if (phase === "asking") return IDLE;
      return phase === "recording" ? { ...recording, phase: "ending", endReason: event.reason } : recording;
    case "ended":
      return phase === "ending" || phase === "recording" ? applyEnd(recording, event) : recording;
    case "dismiss":
      return phase === "idle" && (recording.error || recording.outcome) ? IDLE : recording;
  }
}

function applyTick(recording: Recording, { seconds, level }: { seconds: number; level: number | null }): Recording {
  const heardAt = level === null || level >= SILENCE_LEVEL ? seconds : recording.heardAt;
  const next = { ...recording, seconds, heardAt };
  return seconds >= MAX_SECONDS ? { ...next, seconds: MAX_SECONDS, phase: "ending", endReason: "limit" } : next;
}

function applyEnd({ owner, endReason, isPersisted }: Recording, { seconds, id }: { seconds: number; id: string }): Recording {
  // A recorder that ends by itself has lost its microphone.
  const reason = endReason ?? "unplugged";
  if (seconds < MIN_SECONDS) return { ...IDLE, owner, outcome: reason === "canceled" ? null : { reason: "short" } };
  return { ...IDLE, owner, isPersisted, outcome: { reason, seconds, id } };
}

/** Nothing comes from the microphone, for so long that it is worth a word. */
export function isSilent({ phase, seconds, heardAt, muted }: Recording): boolean {
  if (phase !== "recording") return false;
  return muted || (heardAt === null ? seconds >= INITIAL_SILENCE_SECONDS : seconds - heardAt >= SILENCE_SECONDS);
}

/** A cancel by one key or by a slip of the finger ends what is longer than this, in seconds, as a draft. */
const LONG_SECONDS = 30;
export const softCancelReason = ({ phase, seconds }: Recording): "stopped" | "canceled" =>
  phase === "recording" && seconds > LONG_SECONDS ? "stopped" : "canceled";

/** Seconds left, where that is worth a word. */
export function secondsLeft({ phase, seconds }: Recording): number | null {
  const left = Math.ceil(MAX_SECONDS - seconds);
  return phase === "recording" && left <= WARNING_SECONDS ? left : null;
}

/** What an error of `getUserMedia` means. */
export function toMicrophoneErrorCode(error: unknown): MicrophoneErrorCode {
  const { name = "", message = "" } = (error ?? {}) as { name?: string; message?: string };
  switch (name) {
    case "NotAllowedError":
      return /system/i.test(message) ? "blocked" : "denied";
    case "SecurityError":
      return "denied";
    case "NotFoundError":
    case "OverconstrainedError":
      return "none";
    case "NotReadableError":
    case "AbortError":
      return "busy";
    default:
      return "failed";
  }
}
