import { afterEach, expect, test, vi } from "vitest";
import { isCurrentInput, MicrophoneError, openMicrophone } from "./microphone.ts";

afterEach(() => vi.unstubAllGlobals());

/** Stubs a browser with one microphone. */
function stubBrowser({ refuses: recorderFails = false } = {}) {
  const stopped = vi.fn<() => void>();
  const track = { label: "Desk", muted: false, stop: stopped, getSettings: () => ({ deviceId: "desk" }) };
  const contexts: FakeContext[] = [];
  class FakeContext {
    state = "suspended";
    onstatechange: (() => void) | null = null;
    resumeCount = 0;
    constructor() {
      contexts.push(this);
    }
    createAnalyser = () => ({ fftSize: 0, getFloatTimeDomainData: (samples: Float32Array) => samples.fill(-0.5, 7, 8) });
    createMediaStreamSource = () => ({ connect: () => undefined });
    async resume() {
      this.resumeCount += 1;
    }
    async close() {
      this.state = "closed";
    }
  }
  class FakeRecorder {
    static isTypeSupported = () => true;
    state = "inactive";
    mimeType = "audio/webm;codecs=opus";
    constructor() {
      if (recorderFails) throw new DOMException("", "NotSupportedError");
    }
  }
  const getUserMedia = async () => ({ getAudioTracks: () => [track], getTracks: () => [track] });
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia } });
  vi.stubGlobal("MediaRecorder", FakeRecorder);
  vi.stubGlobal("AudioContext", FakeContext);
  return { stopped, contexts };
}

test("a suspended audio context returns no level and is resumed", async () => {
  const { contexts } = stubBrowser();
  const microphone = await openMicrophone(null);
  const [context] = contexts;
  expect([microphone.level(), context!.resumeCount]).toEqual([null, 1]);
  context!.state = "running";
  context!.onstatechange!();
  expect(microphone.level()).toBe(0.5);
  context!.state = "interrupted";
  context!.onstatechange!();
  expect([microphone.level(), context!.resumeCount]).toEqual([null, 2]);
  microphone.close();
  expect([context!.state, context!.onstatechange]).toEqual(["closed", null]);
});

test("a recorder that cannot be created closes the microphone", async () => {
  const { stopped, contexts } = stubBrowser({ refuses: true });
  const opened = openMicrophone(null);
  await expect(opened).rejects.toEqual(new MicrophoneError("failed"));
  expect([stopped.mock.calls.length, contexts[0]!.state]).toEqual([1, "closed"]);
});

test("isCurrentInput compares inputs with the same name by id, and the default input by name", () => {
  const inputs = ["a", "b"].map((id) => ({ id, name: "USB Audio Device" }));
  expect(inputs.map((audioInput) => isCurrentInput(audioInput, { device: "USB Audio Device", input: "b" }))).toEqual([false, true]);
  expect(isCurrentInput({ id: "c", name: "Built-in" }, { device: "Default - Built-in", input: "default" })).toBe(true);
  expect(isCurrentInput({ id: "c", name: "Built-in" }, { device: "Built-in", input: "" })).toBe(true);
});
