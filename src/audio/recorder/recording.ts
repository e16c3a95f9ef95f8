/** Models a recording as a state machine without browser APIs, from the press to its end, and chooses its format and file name. */
import { toDateTimeInput } from "../../lib/days.ts";

/** Maximum length of a voice note and the time before its end when a warning appears, in seconds. */
export const MAX_SECONDS = 30 * 60;
const WARNING_SECONDS = 60;
/** Seconds after which a cancel by a single key or an accidental touch keeps the recording as a draft. */
const LONG_SECONDS = 30;
/** Shorter recordings count as an accidental press. */
const MIN_SECONDS = 0.4;

/** Peaks below -54 dB of full scale are silence: no microphone is that quiet while somebody speaks. */
const SILENCE_LEVEL = 0.002;
/** Seconds of silence before a warning: at the start, and later on, where the browser may suppress pauses. */
const INITIAL_SILENCE_SECONDS = 3;
const SILENCE_SECONDS = 10;

/**
 * Opus comes first: at this bit rate it does not degrade a voice, and its chunks are complete from the first one on. Safari records AAC in MP4. The
 * service creates a copy that every browser plays.
 */
const PREFERRED_FORMATS = ["audio/webm;codecs=opus", "audio/mp4;codecs=mp4a.40.2", "audio/mp4", "audio/webm", "audio/ogg;codecs=opus"] as const;
/** Bits per second: 30 minutes take 14 MB. */
export const BIT_RATE = 64_000;
const EXTENSIONS: Readonly<Record<string, string>> = { "audio/webm": "webm", "audio/mp4": "m4a", "audio/ogg": "ogg" };

/** Why recording failed. `blocked`: by the system, not by the browser. */
export type MicrophoneErrorCode = "insecure" | "unsupported" | "denied" | "blocked" | "none" | "busy" | "failed";
/** Why a recording ended. Every reason except `canceled` keeps it. */
export type EndReason = "stopped" | "limit" | "unplugged" | "broken" | "closed" | "canceled";

export interface RecordingChat {
  accountId: number;
  projectId: number;
}

export interface Recording {
  /** `requesting`: waiting for access to the microphone; `ending`: waiting for the last bytes. */
  phase: "idle" | "requesting" | "recording" | "ending";
  chat: RecordingChat | null;
  /** The microphone's name; "" if the browser does not report it. */
  device: string;
  /** The microphone's id. */
  input: string;
  /** True if the chosen input is unavailable and another one is used. */
  isFallbackInput: boolean;
  seconds: number;
  /** Time of the last sound, in seconds; null before the first. */
  lastSoundAt: number | null;
  /** True while the system or a switch on the microphone mutes it. */
  muted: boolean;
  /** False once the browser could not store the recording, so that it lasts only as long as the page. */
  isPersisted: boolean;
  endReason: EndReason | null;
  error: MicrophoneErrorCode | null;
  /** Result of the last recording, until the next press. */
  outcome: { reason: EndReason; seconds: number; id: string } | { reason: "short" } | null;
}

export type RecordingEvent =
  | { type: "requested"; chat: RecordingChat }
  | { type: "opened"; device: string; input: string; isFallbackInput: boolean }
  | { type: "failed"; error: MicrophoneErrorCode }
  /** `level`: the peak since the last tick, 0 to 1; null if it cannot be measured. */
  | { type: "tick"; seconds: number; level: number | null }
  | { type: "muted"; muted: boolean }
  /** The browser could not store the recording. */
  | { type: "storageFailed" }
  | { type: "end"; reason: EndReason }
  /** All bytes have arrived. */
  | { type: "ended"; seconds: number; id: string }
  | { type: "dismiss" };

export const IDLE: Recording = {
  phase: "idle",
  chat: null,
  device: "",
  input: "",
  isFallbackInput: false,
  seconds: 0,
  lastSoundAt: null,
  muted: false,
  isPersisted: true,
  endReason: null,
  error: null,
  outcome: null,
};

/** Returns the next state, or the same object if the event changes nothing. */
export function recordingReducer(recording: Recording, event: RecordingEvent): Recording {
  const { phase } = recording;
  switch (event.type) {
    case "requested":
      return phase === "idle" ? { ...IDLE, phase: "requesting", chat: event.chat } : recording;
    case "opened":
      return phase === "requesting"
        ? { ...recording, phase: "recording", device: event.device, input: event.input, isFallbackInput: event.isFallbackInput }
        : recording;
    case "failed":
      return phase === "requesting" ? { ...IDLE, chat: recording.chat, error: event.error } : recording;
    case "tick":
      return phase === "recording" ? applyTick(recording, event) : recording;
    case "muted":
      return phase === "recording" && recording.muted !== event.muted ? { ...recording, muted: event.muted } : recording;
    case "storageFailed":
      return recording.isPersisted && (phase === "recording" || phase === "ending") ? { ...recording, isPersisted: false } : recording;
    case "end":
      // Nothing is recorded before the microphone is open.
      if (phase === "requesting") return IDLE;
      return phase === "recording" ? { ...recording, phase: "ending", endReason: event.reason } : recording;
    case "ended":
      return phase === "ending" || phase === "recording" ? applyEnd(recording, event) : recording;
    case "dismiss":
      return phase === "idle" && (recording.error || recording.outcome) ? IDLE : recording;
  }
}

function applyTick(recording: Recording, { seconds, level }: { seconds: number; level: number | null }): Recording {
  const lastSoundAt = level === null || level >= SILENCE_LEVEL ? seconds : recording.lastSoundAt;
  const next = { ...recording, seconds, lastSoundAt };
  return seconds >= MAX_SECONDS ? { ...next, seconds: MAX_SECONDS, phase: "ending", endReason: "limit" } : next;
}

function applyEnd({ chat, endReason, isPersisted }: Recording, { seconds, id }: { seconds: number; id: string }): Recording {
  // A recorder that ends by itself has lost its microphone.
  const reason = endReason ?? "unplugged";
  if (seconds < MIN_SECONDS) return { ...IDLE, chat, outcome: reason === "canceled" ? null : { reason: "short" } };
  return { ...IDLE, chat, isPersisted, outcome: { reason, seconds, id } };
}

/** Returns whether the microphone is muted or has been silent long enough for a warning. */
export function isSilent({ phase, seconds, lastSoundAt, muted }: Recording): boolean {
  if (phase !== "recording") return false;
  return muted || (lastSoundAt === null ? seconds >= INITIAL_SILENCE_SECONDS : seconds - lastSoundAt >= SILENCE_SECONDS);
}

/** Returns why a cancel by a single key or an accidental touch ends the recording: a long one is kept as a draft. */
export const softCancelReason = ({ phase, seconds }: Recording): "stopped" | "canceled" =>
  phase === "recording" && seconds > LONG_SECONDS ? "stopped" : "canceled";

/** Returns the seconds left once the warning is due, otherwise null. */
export function secondsUntilLimit({ phase, seconds }: Recording): number | null {
  const left = Math.ceil(MAX_SECONDS - seconds);
  return phase === "recording" && left <= WARNING_SECONDS ? left : null;
}

/** Maps an error of `getUserMedia` to an error code. */
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

/** Returns the first format that the browser can record, or null if it supports none. */
export const chooseFormat = (isSupported: (type: string) => boolean): string | null => PREFERRED_FORMATS.find(isSupported) ?? null;

/** "Voice note 2026-11-21 18.04.webm", in local time. `type` is the recorder's MIME type, with or without codecs. */
export function voiceFileName(startedAt: number, type: string): string {
  const date = new Date(startedAt);
  return `Voice note ${toDateTimeInput(date).replace("T", " ").replace(":", ".")}.${EXTENSIONS[type.split(";")[0]!.trim().toLowerCase()] ?? "webm"}`;
}
