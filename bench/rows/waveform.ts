/** The page of an hour of audio: its waveform and its first sound. */
import type { Page } from "@playwright/test";
import { exposeMediaElement } from "../../e2e/fixtures/detail-waveform.ts";
import type { Benchmark, Line } from "../lib/benchmark.ts";
import { openWindow, servePages } from "../lib/pages.ts";
import { percentile } from "../lib/statistics.ts";

const FRAMES = 120;
const VIEWPORT = { width: 1_440, height: 900 };

/** Records when the detail waveform first has pixels in its middle. */
const recordFirstDrawing = (page: Page) =>
  page.addInitScript(() => {
    const target = window as unknown as { drawnAt?: number };
    const checkCanvas = () => {
      const canvas = document.querySelector<HTMLCanvasElement>("[data-testid=detail-waveform] canvas");
      if (canvas && canvas.width > 0) {
        const copy = new OffscreenCanvas(8, canvas.height).getContext("2d", { willReadFrequently: true })!;
        copy.drawImage(canvas, canvas.width / 2, 0, 8, canvas.height, 0, 0, 8, canvas.height);
        if (copy.getImageData(0, canvas.height / 2 - 2, 8, 4).data.some((value) => value > 0)) {
          target.drawnAt = performance.now();
          return;
        }
      }
      requestAnimationFrame(checkCanvas);
    };
    requestAnimationFrame(checkCanvas);
  });

/** Opens the page and returns the milliseconds from the response with the waveform to its first pixels. */
async function measureDrawing(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.waitForFunction(() => "drawnAt" in window);
  return page.evaluate(() => {
    const response = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/v1/files/get_info")) as PerformanceResourceTiming;
    return (window as unknown as { drawnAt: number }).drawnAt - response.responseEnd;
  });
}

/** Draws as many rectangles as the response has values, in the next frame after it. */
const measureBareDrawing = (page: Page, id: number): Promise<number> =>
  page.evaluate(async (file_id) => {
    const response = await fetch("/v1/files/get_info", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ file_id }) });
    const text = await response.text();
    const startedAt = performance.now();
    const { wave } = (JSON.parse(text) as { file_info: { wave: number[] } }).file_info;
    const canvas = Object.assign(document.createElement("canvas"), { width: 1_800, height: 184 });
    document.body.append(canvas);
    const context = canvas.getContext("2d")!;
    wave.forEach((value, x) => context.fillRect(x, 92 - value * 92, 1, value * 184));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    canvas.remove();
    return performance.now() - startedAt;
  }, id);

/** Presses play and returns the milliseconds to the first sound. */
const measurePlaying = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const button = document.querySelector<HTMLButtonElement>("main button[aria-label=Play]")!;
    const startedAt = performance.now();
    button.click();
    const created = window as unknown as { sound?: HTMLAudioElement };
    while (!((created.sound?.currentTime ?? 0) > 0)) await new Promise((resolve) => requestAnimationFrame(resolve));
    const elapsed = performance.now() - startedAt;
    button.click();
    return elapsed;
  });

/** Plays the same address in a new audio element. */
const measureBarePlaying = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { sound } = window as unknown as { sound: HTMLAudioElement };
    const startedAt = performance.now();
    const audio = document.createElement("audio");
    audio.src = sound.currentSrc;
    await audio.play();
    while (!(audio.currentTime > 0)) await new Promise((resolve) => requestAnimationFrame(resolve));
    audio.pause();
    return performance.now() - startedAt;
  });

/** Returns the 95th percentile of the milliseconds between frames while something happens once per frame. */
async function measureFrames(page: Page, action: "nothing" | "zoom in" | "scroll" | "zoom out"): Promise<number> {
  const intervals = await page.evaluate(
    async ([gesture, count]) => {
      const container = document.querySelector<HTMLElement>("[data-testid=detail-waveform] canvas")!.parentElement!;
      const { left, top, width } = container.getBoundingClientRect();
      const wheel = (init: WheelEventInit) =>
        container.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: left + width / 3, clientY: top + 20, ...init }));
      const between: number[] = [];
      let previous = 0;
      for (let frame = 0; frame <= count; frame += 1) {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        if (previous > 0) between.push(now - previous);
        previous = now;
        if (gesture === "zoom in") wheel({ deltaY: -60 });
        if (gesture === "zoom out") wheel({ deltaY: 60 });
        if (gesture === "scroll") wheel({ deltaX: 400 });
      }
      return between;
    },
    [action, FRAMES] as const,
  );
  return percentile(intervals, 0.95);
}

/** Scrolls through all fine values in wavesurfer, which has them in memory. */
async function measureWavesurferFrames(page: Page): Promise<number> {
  const intervals = await page.evaluate(async (count) => {
    const { openFine } = window as unknown as { openFine(): Promise<(second: number) => void> };
    const scrollTo = await openFine();
    const between: number[] = [];
    let previous = 0;
    for (let frame = 0; frame <= count; frame += 1) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      if (previous > 0) between.push(now - previous);
      previous = now;
      scrollTo((frame * 400) / 689);
    }
    return between;
  }, FRAMES);
  return percentile(intervals, 0.95);
}

export const waveform: Benchmark = {
  name: "waveform",
  title: "the page of an hour of stereo: response to first pixels, zooming and scrolling, first sound; against wavesurfer and the bare browser",
  async run(context) {
    const [{ ana }, service, { id }] = [await context.data(), await context.service(), await context.hour()];
    const pages = await servePages(context);
    const window = await openWindow(context, ana, VIEWPORT);
    const [page, wavesurfer] = [await window.newPage(), await window.newPage()];
    await recordFirstDrawing(page);
    await wavesurfer.goto(`${pages.base}/wavesurfer.html`);
    await wavesurfer.waitForFunction(() => "draw" in window);
    await measureDrawing(page, `${service.base}/files/${id}`);
    const measured = await context.inTurn(context.rounds(5), {
      wavesurfer: async () => {
        await wavesurfer.bringToFront();
        return wavesurfer.evaluate(() => (window as unknown as { draw(): Promise<number> }).draw());
      },
      page: async () => {
        await page.bringToFront();
        return measureDrawing(page, `${service.base}/files/${id}`);
      },
      "bare browser": () => measureBareDrawing(page, id),
      sound: async () => {
        await exposeMediaElement(page);
        return measurePlaying(page);
      },
      "bare sound": () => measureBarePlaying(page),
    });
    context.log("zooming to the finest peaks and scrolling");
    const frames: Record<string, number[]> = { nothing: [], "zoom in": [], scroll: [], "zoom out": [], wavesurfer: [] };
    for (let round = 0; round < context.rounds(2); round += 1) {
      await page.bringToFront();
      for (const action of ["nothing", "zoom in", "scroll", "zoom out"] as const) frames[action]!.push(await measureFrames(page, action));
      await wavesurfer.bringToFront();
      frames["wavesurfer"]!.push(await measureWavesurferFrames(wavesurfer));
    }
    await window.close();
    await pages.stop();
    const idle = { name: "nothing happens", values: frames["nothing"]! };
    const goal = (must: number, aim?: number) => ({ of: "ratio" as const, better: "lower" as const, must, ...(aim === undefined ? {} : { aim }) });
    const lines: Line[] = [
      {
        work: "response to first pixels",
        unit: "ms",
        values: measured.page,
        yardstick: { name: "rectangles in the bare browser", values: measured["bare browser"] },
        goal: goal(3),
      },
      {
        work: "the same",
        unit: "ms",
        values: measured.page,
        yardstick: { name: "wavesurfer with ready arrays", values: measured.wavesurfer },
        goal: goal(1.5, 1.1),
      },
      { work: "zooming in, between frames p95", unit: "ms", values: frames["zoom in"]!, yardstick: idle, goal: goal(1.5, 1.1) },
      { work: "scrolling at 689 px a second of sound, between frames p95", unit: "ms", values: frames["scroll"]!, yardstick: idle, goal: goal(1.5, 1.1) },
      { work: "the same", unit: "ms", values: frames["scroll"]!, yardstick: { name: "wavesurfer with all values", values: frames["wavesurfer"]! } },
      { work: "play to first sound", unit: "ms", values: measured.sound, yardstick: { name: "bare audio element", values: measured["bare sound"] } },
    ];
    return lines;
  },
};
