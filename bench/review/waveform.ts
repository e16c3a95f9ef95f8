/**
 * Benchmarks the page of an hour of audio: from the response to the drawn waveform, from pressing play to the first
 * sound, and frame times while zooming and scrolling. Each is compared with the bare browser on the same machine in the
 * same run.
 * `node bench/review/waveform.ts [minutes]` uses another length, for trying it out.
 */
import { chromium, type Page } from "@playwright/test";
import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Project } from "../../contract/records.ts";
import { createProject, setUpOwner, createStorageState, type Person } from "../../e2e/fixtures/api.ts";
import { copyApp } from "../../e2e/fixtures/app-copy.ts";
import { exposeMediaElement } from "../../e2e/fixtures/detail-waveform.ts";
import { loadFileInfo } from "../../e2e/fixtures/files.ts";
import { startService } from "../../e2e/fixtures/service.ts";
import config from "../../playwright.config.ts";
import { writeHour } from "../../server/media/testing/hour.ts";
import { median, percentile } from "../lib/statistics.ts";

const RUNS = 5;
const FRAME_COUNT = 150;
const POLL_INTERVAL_MS = 500;
/** Limits in milliseconds. */
const MAX_MS = { drawn: 100, sounds: 1_000 };

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Uploads the file as a stream, so that this process stays small, and returns the file's id. */
function uploadFile(person: Person, project: Project, path: string): Promise<number> {
  const url = new URL(`/v1/files/upload?parent_id=${project.root_folder_id}&name=hour.wav`, person.url);
  const headers = { origin: person.url, cookie: person.cookie, "content-type": "application/octet-stream", "content-length": statSync(path).size };
  return new Promise((resolve, reject) => {
    const uploadRequest = request(url, { method: "PUT", headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => resolve((JSON.parse(text) as { file_id: number }).file_id));
    });
    uploadRequest.on("error", reject);
    createReadStream(path).pipe(uploadRequest);
  });
}

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

async function measureDrawing(page: Page, url: string, id: number): Promise<{ ours: number; bare: number }> {
  await page.goto(url);
  await page.waitForFunction(() => "drawnAt" in window);
  const ours = await page.evaluate(() => {
    const infoResponse = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/v1/files/get_info")) as PerformanceResourceTiming;
    return (window as unknown as { drawnAt: number }).drawnAt - infoResponse.responseEnd;
  });
  // Draw as many rectangles as `wave` has values, in the next frame after the response.
  const bare = await page.evaluate(async (file_id) => {
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
  return { ours, bare };
}

async function measurePlaybackStart(page: Page): Promise<{ ours: number; bare: number }> {
  const ours = await page.evaluate(async () => {
    const button = document.querySelector<HTMLButtonElement>("main button[aria-label=Play]")!;
    const startedAt = performance.now();
    button.click();
    const created = window as unknown as { sound?: HTMLAudioElement };
    while (!((created.sound?.currentTime ?? 0) > 0)) await new Promise((resolve) => requestAnimationFrame(resolve));
    const elapsedMs = performance.now() - startedAt;
    button.click();
    return elapsedMs;
  });
  const bare = await page.evaluate(async () => {
    const { sound } = window as unknown as { sound: HTMLAudioElement };
    const startedAt = performance.now();
    const bareAudio = document.createElement("audio");
    bareAudio.src = sound.currentSrc;
    await bareAudio.play();
    while (!(bareAudio.currentTime > 0)) await new Promise((resolve) => requestAnimationFrame(resolve));
    bareAudio.pause();
    return performance.now() - startedAt;
  });
  return { ours, bare };
}

/** Returns the milliseconds between frames while `action` runs once per frame. */
const measureFrameIntervals = (page: Page, action: "nothing" | "zoom" | "scroll") =>
  page.evaluate(
    async ([gesture, count]) => {
      const container = document.querySelector<HTMLElement>("[data-testid=detail-waveform] canvas")!.parentElement!;
      const { left, top, width } = container.getBoundingClientRect();
      const wheel = (init: WheelEventInit) =>
        container.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: left + width / 3, clientY: top + 20, ...init }));
      const intervals: number[] = [];
      let previous = 0;
      for (let frame = 0; frame <= count; frame += 1) {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        if (previous > 0) intervals.push(now - previous);
        previous = now;
        if (gesture === "zoom") wheel({ deltaY: frame < count / 2 ? -60 : 60 });
        if (gesture === "scroll") wheel({ deltaX: frame % 50 < 25 ? 40 : -40 });
      }
      return intervals;
    },
    [action, FRAME_COUNT] as const,
  );

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-waveform-"));
  const path = join(folder, "hour.wav");
  writeHour(path, "wav", "pcm_s16le", { minutes: Number(process.argv[2] ?? 60) });
  const app = await copyApp();
  const service = await startService(app.folder);
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const owner = await setUpOwner(service.url, service.setupLink());
    const project = await createProject(owner, "An hour of sound");
    const id = await uploadFile(owner, project, path);
    // Wait for the streaming copy too, because encoding in parallel would affect the measurement.
    while (["waiting", "transcoding"].includes((await loadFileInfo(owner, id)).common.transcoding_status))
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    const context = await browser.newContext({ storageState: createStorageState(owner), locale: "en-GB", viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await recordFirstDrawing(page);
    const [drawn, sounds]: { ours: number; bare: number }[][] = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      drawn!.push(await measureDrawing(page, `${owner.url}/files/${id}`, id));
      await exposeMediaElement(page);
      sounds!.push(await measurePlaybackStart(page));
    }
    const medians = (list: { ours: number; bare: number }[]) => [median(list.map(({ ours }) => ours)), median(list.map(({ bare }) => bare))] as const;
    const rows: [string, string, string][] = [
      ["from the response to the drawn waveform", ...(medians(drawn!).map(ms) as [string, string])],
      ["from pressing play to the first sound", ...(medians(sounds!).map(ms) as [string, string])],
    ];
    const idleIntervals = await measureFrameIntervals(page, "nothing");
    for (const action of ["zoom", "scroll"] as const) {
      const intervals = await measureFrameIntervals(page, action);
      for (const [name, share] of [
        ["median", 0.5],
        ["95th percentile", 0.95],
        ["longest", 1],
      ] as const)
        rows.push([
          `between frames while ${action === "zoom" ? "zooming" : "scrolling"}, ${name}`,
          ms(percentile(intervals, share)),
          ms(percentile(idleIntervals, share)),
        ]);
    }
    console.log("| an hour of stereo | page | bare browser |\n| --- | --- | --- |");
    for (const row of rows) console.log(`| ${row.join(" | ")} |`);
    if (medians(drawn!)[0] > MAX_MS.drawn || medians(sounds!)[0] > MAX_MS.sounds) {
      console.error(`More than ${MAX_MS.drawn} ms to the waveform, or ${MAX_MS.sounds} ms to the sound.`);
      process.exitCode = 1;
    }
  } finally {
    await browser.close();
    await service.end();
    app.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
