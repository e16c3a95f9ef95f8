/**
 * Benchmarks scrolling up through a long chat by wheel in a real browser, including paging, against virtua on plain rows
 * with the same texts in the same run.
 * `node bench/chat/timeline.ts [messages] [seconds]`: 100,000 messages by default. Scrolls until the top or for at most
 * `seconds`.
 */
import { chromium, type Page } from "@playwright/test";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { build } from "vite";
import { createProject, setUpOwner, createStorageState } from "../../e2e/fixtures/api.ts";
import { copyApp } from "../../e2e/fixtures/app-copy.ts";
import { startService } from "../../e2e/fixtures/service.ts";
import config from "../../playwright.config.ts";
import { runCli } from "../../server/testing/service-process.ts";
import { percentile } from "../lib/statistics.ts";
import { generateChat, writeGeneratedChat } from "./generated-chat.ts";

const MESSAGES = Number(process.argv[2] ?? 100_000);
const SECONDS = Number(process.argv[3] ?? 600);
const VIEWPORT = { width: 1_280, height: 900 };
const WHEEL_DELTA = -1_500;
const END = Date.parse("2026-11-01T18:00:00Z");
const LONG_FRAME_MS = 100;

interface ScrollMeasurement {
  frames: number[];
  nodes: number;
  heapMb: number;
  pixels: number;
  seconds: number;
  reachedTop: boolean;
}

/** Script for the page that records the duration of each frame. */
const RECORD_FRAMES_SCRIPT = `
  window.frames_ = [];
  let last = performance.now();
  const frame = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });
`;

async function wheelUp(page: Page, isTop: () => Promise<boolean>): Promise<ScrollMeasurement> {
  const log = page.getByRole("log");
  await log.hover();
  await page.evaluate(RECORD_FRAMES_SCRIPT);
  const startedAt = performance.now();
  let pixels = 0;
  let nodes = 0;
  let reachedTop = false;
  for (let turn = 0; !reachedTop && performance.now() - startedAt < SECONDS * 1_000; turn += 1) {
    await page.mouse.wheel(0, WHEEL_DELTA);
    pixels -= WHEEL_DELTA;
    if (turn % 20 !== 0) continue;
    nodes = Math.max(nodes, await page.evaluate(() => document.querySelectorAll("*").length));
    reachedTop = await isTop();
  }
  const frames = await page.evaluate(() => (window as unknown as { frames_: number[] }).frames_);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await devtools.send("Runtime.getHeapUsage")) as { usedSize: number };
  return { frames, nodes, heapMb: usedSize / 1e6, pixels, seconds: (performance.now() - startedAt) / 1_000, reachedTop };
}

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".json": "application/json" };

async function serveBaseline(folder: string): Promise<{ url: string; close(): void }> {
  await build({ root: join(import.meta.dirname, "baseline"), configFile: false, logLevel: "error", base: "./", build: { outDir: folder, emptyOutDir: true } });
  const bodies = JSON.stringify([...generateChat(MESSAGES, ["Ana"], END)].map(({ body }) => body));
  const server = createServer((request, response) => {
    const name = request.url === "/" ? "/index.html" : (request.url ?? "");
    const body = name === "/bodies.json" ? Promise.resolve(bodies) : readFile(join(folder, name));
    body.then(
      (content) => response.setHeader("content-type", TYPES[extname(name)] ?? "application/octet-stream").end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}

function formatRow(label: string, { frames, nodes, heapMb, pixels, seconds, reachedTop }: ScrollMeasurement): string {
  const framePercentile = (share: number) => percentile(frames, share).toFixed(1);
  const longFrameCount = frames.filter((ms) => ms > LONG_FRAME_MS).length;
  return `| ${label} | ${frames.length} | ${framePercentile(0.5)} | ${framePercentile(0.99)} | ${framePercentile(1)} | ${longFrameCount} | ${nodes} | ${heapMb.toFixed(1)} | ${Math.round(pixels / 1_000)} | ${seconds.toFixed(0)} | ${reachedTop ? "yes" : "no"} |`;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-timeline-"));
  const app = await copyApp();
  const service = await startService(app.folder);
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const owner = await setUpOwner(service.url, service.setupLink());
    const project = await createProject(owner, "A long chat");
    const file = join(folder, "chat.jsonl");
    await writeGeneratedChat(file, MESSAGES, ["Ana", "Ben"], END);
    console.log((await runCli(service.dataDir, {}, "import-chat", "--project", String(project.id), "--file", file, "--author", owner.name)).split("\n")[0]);
    const baseline = await serveBaseline(join(folder, "baseline"));

    const context = await browser.newContext({ storageState: createStorageState(owner), locale: "en-GB", viewport: VIEWPORT });
    const chat = await context.newPage();
    await chat.goto(`${owner.url}/projects/${project.id}/chat`);
    await chat.getByRole("log").getByRole("listitem").last().waitFor();
    const chatResult = await wheelUp(chat, () => chat.getByText("This is the beginning of A long chat.").isVisible());
    await chat.close();

    const baselinePage = await context.newPage();
    await baselinePage.goto(baseline.url);
    await baselinePage.getByRole("log").locator(".row").last().waitFor();
    const baselineResult = await wheelUp(baselinePage, () => baselinePage.getByRole("log").evaluate(({ scrollTop }) => scrollTop === 0));
    baseline.close();

    console.log("| page | frames | p50 ms | p99 ms | longest ms | over 100 ms | DOM nodes, most | heap MB | wheel, 1,000 px | seconds | top |");
    console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    console.log(formatRow(`chat of ${MESSAGES.toLocaleString("en")}`, chatResult));
    console.log(formatRow("virtua, plain rows", baselineResult));
  } finally {
    await browser.close();
    await service.end();
    app.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
