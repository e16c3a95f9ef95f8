/** The microphone as the browser gives it: opened with the input that was chosen, measured, recorded. */
import { BIT_RATE, chooseFormat } from "./formats.ts";
import { toMicrophoneErrorCode, type MicrophoneErrorCode } from "./recording.ts";

export interface AudioInput {
  id: string;
  name: string;
}

export interface MicrophoneListener {
  chunk(bytes: Blob): void;
  muted(muted: boolean): void;
  /** The device is gone, or the recorder failed; the end follows. */
  lost(reason: "unplugged" | "broken"): void;
  /** All bytes were told. */
  ended(): void;
}

export interface Microphone {
  device: string;
  /** The input it comes from: its id, or an alias of the system's choice; "" where the browser tells none. */
  input: string;
  /** The wanted input is not there: this is another one. */
  isFallbackInput: boolean;
  /** As the recorder writes. */
  type: string;
  /** Begins to record. */
  record(listener: MicrophoneListener): void;
  /** The loudest of the last moments, 0 to 1; null where it cannot be measured. */
  level(): number | null;
  /** Ends the recording; its last bytes follow. */
  stop(): void;
  close(): void;
}

export class MicrophoneError extends Error {
  readonly code: MicrophoneErrorCode;
  constructor(code: MicrophoneErrorCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** Milliseconds of sound that a tab that dies loses at most. */
const CHUNK_MS = 1_000;
/** Samples that are looked at: 43 ms at 48 kHz. */
const WINDOW = 2_048;

/** With the wanted input, or where that is not there with the system's. Throws a MicrophoneError. */
export async function openMicrophone(preferredInput: string | null): Promise<Microphone> {
  if (!isSecureContext || !("mediaDevices" in navigator)) throw new MicrophoneError("insecure");
  const type = "MediaRecorder" in globalThis ? chooseFormat((candidate) => MediaRecorder.isTypeSupported(candidate)) : null;
  if (type === null) throw new MicrophoneError("unsupported");
  let isFallbackInput = false;
  // In the press itself: later some browsers let it sleep.
  const meter = openMeter();
  const stream = await requestStream(preferredInput)
    .catch((error: unknown) => {
      if (preferredInput === null || toMicrophoneErrorCode(error) !== "none") throw error;
      isFallbackInput = true;
      return requestStream(null);
    })
    .catch((error: unknown) => {
      meter?.close();
      throw new MicrophoneError(toMicrophoneErrorCode(error), error);
    });
  try {
    return createMicrophone(stream, type, isFallbackInput, meter);
  } catch (error) {
    // Else the browser shows it as on.
    for (const track of stream.getTracks()) track.stop();
    meter?.close();
    throw new MicrophoneError("failed", error);
  }
}

const requestStream = (deviceId: string | null) =>
  navigator.mediaDevices.getUserMedia({ audio: { channelCount: { ideal: 1 }, ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }) } });

function createMicrophone(stream: MediaStream, type: string, isFallbackInput: boolean, meter: Meter | null): Microphone {
  const [track] = stream.getAudioTracks() as [MediaStreamTrack];
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BIT_RATE });
  meter?.measure(stream);
  const stop = () => recorder.state !== "inactive" && recorder.stop();
  return {
    device: track.label,
    input: track.getSettings().deviceId ?? "",
    isFallbackInput,
    type: recorder.mimeType || type,
    record(listener) {
      recorder.ondataavailable = ({ data }) => data.size > 0 && listener.chunk(data);
      recorder.onerror = () => {
        listener.lost("broken");
        stop();
      };
      recorder.onstop = () => listener.ended();
      track.onmute = () => listener.muted(true);
      track.onunmute = () => listener.muted(false);
      track.onended = () => {
        listener.lost("unplugged");
        stop();
      };
      recorder.start(CHUNK_MS);
      if (track.muted) listener.muted(true);
    },
    level: () => meter?.level() ?? null,
    stop,
    close() {
      track.onended = null;
      for (const mediaTrack of stream.getTracks()) mediaTrack.stop();
      meter?.close();
    },
  };
}

interface Meter {
  measure(stream: MediaStream): void;
  /** Null while it sleeps: that says nothing of the microphone. */
  level(): number | null;
  close(): void;
}

/** Null where the browser has no sound system: a recording is possible without. */
function openMeter(): Meter | null {
  let context: AudioContext;
  try {
    context = new AudioContext();
  } catch {
    return null;
  }
  const resume = () => void context.resume().catch(() => undefined);
  const close = () => {
    context.onstatechange = null;
    if (context.state !== "closed") void context.close().catch(() => undefined);
  };
  const samples = new Float32Array(WINDOW);
  let analyser: AnalyserNode | null = null;
  return {
    measure(stream) {
      try {
        const node = context.createAnalyser();
        node.fftSize = WINDOW;
        context.createMediaStreamSource(stream).connect(node);
        analyser = node;
        // A call on a phone puts it to sleep.
        context.onstatechange = () => context.state !== "running" && context.state !== "closed" && resume();
        resume();
      } catch {
        close();
      }
    },
    level() {
      if (!analyser || context.state !== "running") return null;
      analyser.getFloatTimeDomainData(samples);
      return samples.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    },
    close,
  };
}

/** The system's own aliases of the inputs that stand beside them. */
const ALIASES = new Set(["default", "communications", ""]);

/** Whether an input is the one that records. The system's own choice is named after it: "Default - MacBook Pro Microphone". */
export const isCurrentInput = ({ id, name }: AudioInput, { device, input }: Pick<Microphone, "device" | "input">): boolean =>
  ALIASES.has(input) ? name === device || device.endsWith(` - ${name}`) : id === input;

/** What can be chosen; empty before the browser lets the page know. */
export async function listInputs(): Promise<AudioInput[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.flatMap(({ kind, deviceId, label }) => (kind === "audioinput" && !ALIASES.has(deviceId) && label !== "" ? { id: deviceId, name: label } : []));
}
