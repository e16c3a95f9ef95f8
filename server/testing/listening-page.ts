/** The function that a page runs to capture what a media element plays. */

export interface Heard {
  /** The element's own duration in seconds. */
  duration: number;
  /** Sample rate of the captured samples, in Hz. */
  rate: number;
  /** The first samples that sounded after each seek; empty where the sound ended without any. */
  captured: number[][];
  /** Message of the element's error, if it could not play. */
  error: string | null;
}

/** Audio worklet that waits for silence, then captures the first 0.1 s that sound. */
const CAPTURE_MODULE = `
registerProcessor("capture", class extends AudioWorkletProcessor {
  armed = false; silentBlocks = 0; samples = null; filled = 0;
  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      if (data !== "arm") return this.finish();
      this.armed = true;
      this.silentBlocks = 0;
      this.samples = new Float32Array(0.1 * sampleRate);
      this.filled = 0;
    };
  }
  finish() {
    if (!this.armed) return;
    this.armed = false;
    this.port.postMessage({ type: "captured", samples: this.samples.slice(0, this.filled) });
  }
  process([input]) {
    if (!this.armed) return true;
    const block = input[0] ?? new Float32Array(128);
    if (this.silentBlocks < 4) {
      this.silentBlocks = block.every((value) => value === 0) ? this.silentBlocks + 1 : 0;
      if (this.silentBlocks === 4) this.port.postMessage({ type: "silent" });
      return true;
    }
    const from = this.filled > 0 ? 0 : block.findIndex((value) => Math.abs(value) > 1e-3);
    if (from < 0) return true;
    const part = block.subarray(from, from + this.samples.length - this.filled);
    this.samples.set(part, this.filled);
    this.filled += part.length;
    if (this.filled === this.samples.length) this.finish();
    return true;
  }
});`;

/** URL of the module as a script of its own, which a page with a content security policy does not allow. */
export const CAPTURE_MODULE_URL = `data:text/javascript,${encodeURIComponent(CAPTURE_MODULE)}`;

export interface CaptureOptions {
  url: string;
  moduleUrl: typeof CAPTURE_MODULE_URL;
  seconds: number[];
}

/** Runs inside the page, so it must not use anything from outside. Plays `url` from each second until a tenth of a second was heard. */
export async function captureAfterSeeks({ url, moduleUrl, seconds }: CaptureOptions): Promise<Heard> {
  const context = new AudioContext();
  const element = new Audio();
  const nextEvent = (name: string): Promise<void> =>
    new Promise((resolve, reject) => {
      element.addEventListener(name, () => resolve(), { once: true });
      element.addEventListener("error", () => reject(new Error(element.error?.message || `error ${element.error?.code}`)), { once: true });
    });
  try {
    await context.audioWorklet.addModule(moduleUrl);
    const node = new AudioWorkletNode(context, "capture");
    context.createMediaElementSource(element).connect(node).connect(context.destination);
    await context.resume();
    const nextMessage = (): Promise<{ type: string; samples?: Float32Array }> =>
      new Promise((resolve) => node.port.addEventListener("message", ({ data }) => resolve(data as { type: string; samples?: Float32Array }), { once: true }));
    node.port.start();
    const loaded = nextEvent("canplay");
    element.preload = "auto";
    element.src = url;
    await loaded;
    const captured: number[][] = [];
    for (const second of seconds) {
      const sought = nextEvent("seeked");
      element.currentTime = second;
      await sought;
      const silent = nextMessage();
      node.port.postMessage("arm", []);
      await silent;
      const received = nextMessage();
      const onEnded = (): void => node.port.postMessage("finish", []);
      element.addEventListener("ended", onEnded, { once: true });
      await element.play();
      captured.push([...((await received).samples ?? [])]);
      element.removeEventListener("ended", onEnded);
      element.pause();
    }
    return { duration: element.duration, rate: context.sampleRate, captured, error: null };
  } catch (error) {
    return { duration: element.duration, rate: context.sampleRate, captured: [], error: error instanceof Error ? error.message : String(error) };
  } finally {
    element.removeAttribute("src");
    element.load();
    await context.close();
  }
}
