/** One recording from the press to its end: what may happen and what follows from it, without a browser. */

/** Seconds that a voice note may last, and how long before its end that is told. */
export const MOST_SECONDS = 30 * 60;
export const WARNED_SECONDS = 60;
/** Shorter than this is a slip of the finger. */
export const LEAST_SECONDS = 0.4;

/** Peaks below -54 dB of full scale: no microphone is that quiet while somebody speaks. */
const QUIET = 0.002;
/** Seconds without any sound after which it is said: at the start, and later, where pauses are silenced by the browser. */
const SILENT_AT_FIRST = 3;
const SILENT_LATER = 10;

/** Why nothing is recorded. `blocked`: by the system, not by the browser. */
export type MicrophoneFault = "insecure" | "unsupported" | "denied" | "blocked" | "none" | "busy" | "failed";
/** Why it ended. All but `canceled` keep what was recorded. */
export type Ending = "stopped" | "limit" | "unplugged" | "broken" | "left" | "canceled";

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
  missing: boolean;
  seconds: number;
  /** When something was heard last, in seconds; null: nothing yet. */
  heardAt: number | null;
  /** The system or a switch on the microphone holds its sound back. */
  muted: boolean;
  /** False once the browser cannot keep it: then it lives as long as the page. */
  kept: boolean;
  ending: Ending | null;
  fault: MicrophoneFault | null;
  /** What the last one came to, until the next press. */
  outcome: { why: Ending; seconds: number; id: string } | { why: "short" } | null;
}

export type Happening =
  | { type: "press"; owner: Owner }
  | { type: "opened"; device: string; input: string; missing: boolean }
  | { type: "fault"; fault: MicrophoneFault }
  /** `level`: the loudest since the last one, 0 to 1; null where it cannot be measured. */
  | { type: "tick"; seconds: number; level: number | null }
  | { type: "muted"; muted: boolean }
  /** The browser has no room, or keeps nothing. */
  | { type: "unkept" }
  | { type: "end"; why: Ending }
  /** All bytes are there. */
  | { type: "ended"; seconds: number; id: string }
  | { type: "dismiss" };

export const IDLE: Recording = {
  phase: "idle",
  owner: null,
  device: "",
  input: "",
  missing: false,
  seconds: 0,
  heardAt: null,
  muted: false,
  kept: true,
  ending: null,
  fault: null,
  outcome: null,
};

/** The recording after something has happened; the same object where that changes nothing. */
export function step(recording: Recording, happening: Happening): Recording {
  const { phase } = recording;
  switch (happening.type) {
    case "press":
      return phase === "idle" ? { ...IDLE, phase: "asking", owner: happening.owner } : recording;
    case "opened":
      return phase === "asking"
        ? { ...recording, phase: "recording", device: happening.device, input: happening.input, missing: happening.missing }
        : recording;
    case "fault":
      return phase === "asking" ? { ...IDLE, owner: recording.owner, fault: happening.fault } : recording;
    case "tick":
      return phase === "recording" ? ticked(recording, happening) : recording;
    case "muted":
      return phase === "recording" && recording.muted !== happening.muted ? { ...recording, muted: happening.muted } : recording;
    case "unkept":
      return recording.kept && (phase === "recording" || phase === "ending") ? { ...recording, kept: false } : recording;
    case "end":
      // Nothing was recorded while the microphone was asked for.
      if (phase === "asking") return IDLE;
      return phase === "recording" ? { ...recording, phase: "ending", ending: happening.why } : recording;
    case "ended":
      return phase === "ending" || phase === "recording" ? afterEnd(recording, happening) : recording;
    case "dismiss":
      return phase === "idle" && (recording.fault || recording.outcome) ? IDLE : recording;
  }
}

function ticked(recording: Recording, { seconds, level }: { seconds: number; level: number | null }): Recording {
  const heardAt = level === null || level >= QUIET ? seconds : recording.heardAt;
  const next = { ...recording, seconds, heardAt };
  return seconds >= MOST_SECONDS ? { ...next, seconds: MOST_SECONDS, phase: "ending", ending: "limit" } : next;
}

function afterEnd({ owner, ending, kept }: Recording, { seconds, id }: { seconds: number; id: string }): Recording {
  // A recorder that ends by itself has lost its microphone.
  const why = ending ?? "unplugged";
  if (seconds < LEAST_SECONDS) return { ...IDLE, owner, outcome: why === "canceled" ? null : { why: "short" } };
  return { ...IDLE, owner, kept, outcome: { why, seconds, id } };
}

/** Nothing comes from the microphone, for so long that it is worth a word. */
export function isSilent({ phase, seconds, heardAt, muted }: Recording): boolean {
  if (phase !== "recording") return false;
  return muted || (heardAt === null ? seconds >= SILENT_AT_FIRST : seconds - heardAt >= SILENT_LATER);
}

/** A cancel by one key or by a slip of the finger ends what is longer than this, in seconds, as a draft. */
const LONG_SECONDS = 30;
export const slipEnding = ({ phase, seconds }: Recording): "stopped" | "canceled" => (phase === "recording" && seconds > LONG_SECONDS ? "stopped" : "canceled");

/** Seconds left, where that is worth a word. */
export function secondsLeft({ phase, seconds }: Recording): number | null {
  const left = Math.ceil(MOST_SECONDS - seconds);
  return phase === "recording" && left <= WARNED_SECONDS ? left : null;
}

/** What an error of `getUserMedia` means. */
export function faultOf(error: unknown): MicrophoneFault {
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
