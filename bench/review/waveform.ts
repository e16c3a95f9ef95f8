/**
 * The page of an hour of sound: from the service's answer to the drawn waveform, from the press to the first sound, and pictures
 * while it is zoomed and scrolled. Each beside what the bare browser takes for the same on the same machine in the same run.
 * `node bench/review/waveform.ts [minutes]`: of another length, to try it.
 */
import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import config from "../../playwright.config.ts";
import { createProject, setUpOwner, stateOf, type Person } from "../../e2e/fixtures/api.ts";
import { copyApp } from "../../e2e/fixtures/app-copy.ts";
import { infoOf } from "../../e2e/fixtures/files.ts";
import { keepSound } from "../../e2e/fixtures/lane.ts";
import { startService } from "../../e2e/fixtures/service.ts";
import type { Project } from "../../contract/records.ts";
import { writeHour } from "../../server/media/testing/hour.ts";

const RUNS = 5;
const PICTURES = 150;
const LOOK_AGAIN_MS = 500;
/** Milliseconds. */
const MOST = { drawn: 100, sounds: 1_000 };

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const part = (values: readonly number[], share: number) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Streams the file, so that this process stays small; answers its id. */
function bring(person: Person, project: Project, path: string): Promise<number> {
  const url = new URL(`/v1/files/upload?parent_id=${project.root_folder_id}&name=hour.wav`, person.url);
  const headers = { origin: person.url, cookie: person.cookie, "content-type": "application/octet-stream", "content-length": statSync(path).size };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "PUT", headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => resolve((JSON.parse(text) as { file_id: number }).file_id));
    });
    asked.on("error", reject);
    createReadStream(path).pipe(asked);
  });
}

/** Notes when the lane has a wave in its middle, and when the answer was there. */
const watchDrawing = (page: Page) =>
  page.addInitScript(() => {
    const seen = window as unknown as { drawnAt?: number };
    const look = () => {
      const canvas = document.querySelector<HTMLCanvasElement>("[data-testid=detail-lane] canvas");
      if (canvas && canvas.width > 0) {
        const copy = new OffscreenCanvas(8, canvas.height).getContext("2d", { willReadFrequently: true })!;
        copy.drawImage(canvas, canvas.width / 2, 0, 8, canvas.height, 0, 0, 8, canvas.height);
        if (copy.getImageData(0, canvas.height / 2 - 2, 8, 4).data.some((value) => value > 0)) {
          seen.drawnAt = performance.now();
          return;
        }
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

async function drawing(page: Page, url: string, id: number): Promise<{ ours: number; bare: number }> {
  await page.goto(url);
  await page.waitForFunction(() => "drawnAt" in window);
  const ours = await page.evaluate(() => {
    const answer = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/v1/files/get_info")) as PerformanceResourceTiming;
    return (window as unknown as { drawnAt: number }).drawnAt - answer.responseEnd;
  });
  // As many rectangles as `wave` has values, in the next picture after the answer.
  const bare = await page.evaluate(async (file_id) => {
    const response = await fetch("/v1/files/get_info", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ file_id }) });
    const text = await response.text();
    const since = performance.now();
    const { wave } = (JSON.parse(text) as { file_info: { wave: number[] } }).file_info;
    const canvas = Object.assign(document.createElement("canvas"), { width: 1_800, height: 184 });
    document.body.append(canvas);
    const context = canvas.getContext("2d")!;
    wave.forEach((value, x) => context.fillRect(x, 92 - value * 92, 1, value * 184));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    canvas.remove();
    return performance.now() - since;
  }, id);
  return { ours, bare };
}

async function sounding(page: Page): Promise<{ ours: number; bare: number }> {
  const ours = await page.evaluate(async () => {
    const button = document.querySelector<HTMLButtonElement>("main button[aria-label=Play]")!;
    const since = performance.now();
    button.click();
    const { sound } = window as unknown as { sound: HTMLAudioElement };
    while (!(sound.currentTime > 0)) await new Promise((resolve) => requestAnimationFrame(resolve));
    const took = performance.now() - since;
    button.click();
    return took;
  });
  const bare = await page.evaluate(async () => {
    const { sound } = window as unknown as { sound: HTMLAudioElement };
    const since = performance.now();
    const other = document.createElement("audio");
    other.src = sound.currentSrc;
    await other.play();
    while (!(other.currentTime > 0)) await new Promise((resolve) => requestAnimationFrame(resolve));
    other.pause();
    return performance.now() - since;
  });
  return { ours, bare };
}

/** Milliseconds between pictures while `what` is done once for each. */
const pictures = (page: Page, what: "nothing" | "zoom" | "scroll") =>
  page.evaluate(
    async ([act, count]) => {
      const field = document.querySelector<HTMLElement>("[data-testid=detail-lane] canvas")!.parentElement!;
      const { left, top, width } = field.getBoundingClientRect();
      const wheel = (init: WheelEventInit) =>
        field.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: left + width / 3, clientY: top + 20, ...init }));
      const gaps: number[] = [];
      let before = 0;
      for (let picture = 0; picture <= count; picture += 1) {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        if (before > 0) gaps.push(now - before);
        before = now;
        if (act === "zoom") wheel({ deltaY: picture < count / 2 ? -60 : 60 });
        if (act === "scroll") wheel({ deltaX: picture % 50 < 25 ? 40 : -40 });
      }
      return gaps;
    },
    [what, PICTURES] as const,
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
    const id = await bring(owner, project, path);
    // With its copy, too: what is encoded meanwhile would be measured.
    while (["waiting", "transcoding"].includes((await infoOf(owner, id)).common.transcoding_status))
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    const context = await browser.newContext({ storageState: stateOf(owner), locale: "en-GB", viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await watchDrawing(page);
    await keepSound(page);
    const [drawn, sounds]: { ours: number; bare: number }[][] = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      drawn!.push(await drawing(page, `${owner.url}/files/${id}`, id));
      sounds!.push(await sounding(page));
    }
    const both = (list: { ours: number; bare: number }[]) => [median(list.map(({ ours }) => ours)), median(list.map(({ bare }) => bare))] as const;
    const rows: [string, string, string][] = [
      ["from the answer to the drawn waveform", ...(both(drawn!).map(ms) as [string, string])],
      ["from the press to the first sound", ...(both(sounds!).map(ms) as [string, string])],
    ];
    const empty = await pictures(page, "nothing");
    for (const what of ["zoom", "scroll"] as const) {
      const gaps = await pictures(page, what);
      for (const [name, share] of [
        ["median", 0.5],
        ["95 of 100", 0.95],
        ["longest", 1],
      ] as const)
        rows.push([`between pictures while it is ${what === "zoom" ? "zoomed" : "scrolled"}, ${name}`, ms(part(gaps, share)), ms(part(empty, share))]);
    }
    console.log("| an hour of stereo | page | bare browser |\n| --- | --- | --- |");
    for (const row of rows) console.log(`| ${row.join(" | ")} |`);
    if (both(drawn!)[0] > MOST.drawn || both(sounds!)[0] > MOST.sounds) {
      console.error(`More than ${MOST.drawn} ms to the waveform, or ${MOST.sounds} ms to the sound.`);
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
