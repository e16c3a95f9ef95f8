/** Opens the chosen microphone, measures its level and records it. */
import { getPersisted, setPersisted } from "../../lib/local-storage.ts";
import { BIT_RATE, chooseFormat, type MicrophoneErrorCode, toMicrophoneErrorCode } from "./recording.ts";

export interface AudioInput {
  id: string;
  name: string;
}

export interface MicrophoneListener {
  chunk(bytes: Blob): void;
  muted(muted: boolean): void;
  /** The device was disconnected or the recorder failed; `ended` follows. */
  lost(reason: "unplugged" | "broken"): void;
  /** All bytes were delivered. */
  ended(): void;
}

export interface Microphone {
  device: string;
  /** Id of the recorded input, or an alias of the system's default; "" if the browser does not report it. */
  input: string;
  /** True if the preferred input is unavailable and another one is used. */
  isFallbackInput: boolean;
  /** MIME type that the recorder writes. */
  type: string;
  record(listener: MicrophoneListener): void;
  /** Returns the peak level of the last moments, 0 to 1; null if it cannot be measured. */
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

/** Milliseconds per chunk, which is the most that a crashed tab loses. */
const CHUNK_MS = 1_000;
/** Samples per measurement: 43 ms at 48 kHz. */
const WINDOW = 2_048;

const INPUT_KEY = "microphone";

/** Sets the input that is tried first; null selects the system's default. */
export const setPreferredInput = (id: string | null) => setPersisted(INPUT_KEY, id);
export const getPreferredInput = () => getPersisted(INPUT_KEY);

/** Opens the preferred input, or the system's default if that is unavailable. Throws a `MicrophoneError`. */
export async function openMicrophone(preferredInput: string | null): Promise<Microphone> {
  if (!isSecureContext || !("mediaDevices" in navigator)) throw new MicrophoneError("insecure");
  const type = "MediaRecorder" in globalThis ? chooseFormat((candidate) => MediaRecorder.isTypeSupported(candidate)) : null;
  if (type === null) throw new MicrophoneError("unsupported");
  let isFallbackInput = false;
  // Open the meter synchronously in the press: some browsers suspend an audio context that is created later.
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
    // Otherwise the browser shows the microphone as in use.
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

type Meter = NonNullable<ReturnType<typeof openMeter>>;

/** Returns null if the browser cannot create an audio context; recording works without it. */
function openMeter() {
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
    measure(stream: MediaStream): void {
      try {
        const node = context.createAnalyser();
        node.fftSize = WINDOW;
        context.createMediaStreamSource(stream).connect(node);
        analyser = node;
        // A phone call suspends the context.
        context.onstatechange = () => context.state !== "running" && context.state !== "closed" && resume();
        resume();
      } catch {
        close();
      }
    },
    /** Returns null while the audio context is suspended, which is no evidence about the microphone. */
    level(): number | null {
      if (!analyser || context.state !== "running") return null;
      analyser.getFloatTimeDomainData(samples);
      return samples.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    },
    close,
  };
}

/** Ids of system aliases for inputs that are also listed under their own id. */
const ALIASES = new Set(["default", "communications", ""]);

/** Returns whether an input is being recorded. The system's default is labeled after its input: "Default - MacBook Pro Microphone". */
export const isCurrentInput = ({ id, name }: AudioInput, { device, input }: Pick<Microphone, "device" | "input">): boolean =>
  ALIASES.has(input) ? name === device || device.endsWith(` - ${name}`) : id === input;

/** Returns the selectable inputs; empty until the browser lets the page see them. */
export async function listInputs(): Promise<AudioInput[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.flatMap(({ kind, deviceId, label }) => (kind === "audioinput" && !ALIASES.has(deviceId) && label !== "" ? { id: deviceId, name: label } : []));
}
