/**
 * Memory of the page with an hour of WAV (635 MB): chosen, uploaded, sent, opened on its page, played.
 * Counted is the memory of all renderer processes, from /proc, less that of a browser with an empty page: without mapped files,
 * which are the browser's program and shared by all its processes (RssAnon + RssShmem), and beside it with them (VmRSS).
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type CDPSession, type Page } from "@playwright/test";
import config from "../../playwright.config.ts";
import { createProject, setUpOwner, stateOf } from "../../e2e/fixtures/api.ts";
import { copyApp } from "../../e2e/fixtures/app-copy.ts";
import { card, choose } from "../../e2e/fixtures/choosing.ts";
import { message, send } from "../../e2e/fixtures/pages.ts";
import { startService } from "../../e2e/fixtures/service.ts";
import { writeHour } from "../../server/media/testing/hour.ts";

const NAME = "hour.wav";
const MOST_MB = 150;
const LOOK_EVERY_MS = 100;
/** Uploading and processing share the machine with whatever else runs on it. */
const PATIENCE_MS = 15 * 60_000;
const PLAYED_SECONDS = 10;

interface Row {
  what: string;
  /** MB above the empty page: the highest seen while it happened, and what stayed at its end. */
  highest: number;
  after: number;
  /** The same with mapped files, highest. */
  resident: number;
  /** The page's own JavaScript heap and DOM nodes at its end. */
  heap: number;
  nodes: number;
}

interface Held {
  own: number;
  resident: number;
}

/** Bytes, in all renderers. */
async function rendererBytes(browser: CDPSession): Promise<Held> {
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  const held: Held = { own: 0, resident: 0 };
  for (const { type, id } of processInfo) {
    if (type !== "renderer") continue;
    try {
      const status = readFileSync(`/proc/${id}/status`, "utf8");
      const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1_024;
      held.own += bytes("RssAnon") + bytes("RssShmem");
      held.resident += bytes("VmRSS");
    } catch {
      // It ended meanwhile.
    }
  }
  return held;
}

async function emptyPage(): Promise<Held> {
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const page = await browser.newPage();
    await page.goto("about:blank");
    return await rendererBytes(await browser.newBrowserCDPSession());
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, page: Page, empty: Held, path: string, projectId: number): Promise<Row[]> {
  const rows: Row[] = [];
  const [processes, tab] = [await browser.newBrowserCDPSession(), await page.context().newCDPSession(page)];
  await tab.send("Performance.enable");
  const above = async () => {
    const { own, resident } = await rendererBytes(processes);
    return { own: (own - empty.own) / 1e6, resident: (resident - empty.resident) / 1e6 };
  };
  const phase = async (what: string, work: () => Promise<unknown>) => {
    const most: Held = { own: 0, resident: 0 };
    const lookOnce = async () => {
      const now = await above();
      most.own = Math.max(most.own, now.own);
      most.resident = Math.max(most.resident, now.resident);
      return now.own;
    };
    const look = setInterval(() => void lookOnce(), LOOK_EVERY_MS);
    await work();
    clearInterval(look);
    const after = await lookOnce();
    const { metrics } = await tab.send("Performance.getMetrics");
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
    rows.push({ what, highest: most.own, after, resident: most.resident, heap: metric("JSHeapUsedSize") / 1e6, nodes: metric("Nodes") });
    console.log(`${what}: at most ${Math.round(most.own)} MB, then ${Math.round(after)} MB`);
  };

  await phase("chat, empty", () => page.getByRole("textbox", { name: /^Message / }).waitFor());
  await phase("uploading", async () => {
    await choose(page, path);
    await card(page, NAME).getByText("Uploaded").waitFor();
  });
  // Whether the streaming copy is there yet or the WAV itself plays makes no difference to what the page holds.
  await phase("in the chat, until its wave is there", async () => {
    await send(page, "An hour");
    await message(page, "An hour").getByRole("slider").waitFor();
  });
  await phase("its page, with fine peaks", async () => {
    await message(page, "An hour").getByRole("link", { name: NAME, exact: true }).click();
    await page.locator('[data-peaks="fine"]').waitFor();
  });
  const slider = page.getByRole("main").getByRole("slider", { name: `Position in ${NAME}` });
  const position = async () => Number(await slider.getAttribute("aria-valuenow"));
  const playedTo = async (seconds: number) => {
    while ((await position()) < seconds) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  };
  await phase("playing", async () => {
    await page.getByRole("main").getByRole("button", { name: /^Play/ }).first().click();
    await playedTo(PLAYED_SECONDS);
  });
  await phase("playing near the end", async () => {
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.9, box.y + box.height / 2);
    await playedTo(3_600 * 0.89 + PLAYED_SECONDS);
  });
  await phase("back in the chat, playing on", async () => {
    await page.goBack();
    await page
      .getByRole("region", { name: "Player" })
      .or(page.getByRole("button", { name: /^Pause/ }))
      .first()
      .waitFor();
  });
  // Opened anew, as by a link.
  await phase("opened anew", async () => {
    await page.goto(new URL(`/projects/${projectId}/chat`, page.url()).href);
    await message(page, "An hour").getByRole("link", { name: NAME, exact: true }).click();
    await page.locator('[data-peaks="fine"]').waitFor();
  });
  return rows;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-page-"));
  const path = join(folder, NAME);
  writeHour(path, "wav", "pcm_s16le");
  console.log(`${Math.round(statSync(path).size / 1e6)} MB`);
  const empty = await emptyPage();
  console.log(`Renderer of an empty page: ${Math.round(empty.own / 1e6)} MB, with mapped files ${Math.round(empty.resident / 1e6)} MB`);
  const app = await copyApp();
  const service = await startService(app.folder);
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const owner = await setUpOwner(service.url, service.setupLink());
    const project = await createProject(owner, "An hour of sound");
    const context = await browser.newContext({ storageState: stateOf(owner), locale: "en-GB", viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(`${owner.url}/projects/${project.id}/chat`);
    const rows = await measure(browser, page, empty, path, project.id);
    console.log("\n| page | most, MB | afterwards, MB | most with mapped files, MB | JavaScript heap, MB | DOM nodes |\n| --- | --- | --- | --- | --- | --- |");
    for (const { what, highest, after, resident, heap, nodes } of rows)
      console.log(`| ${what} | ${Math.round(highest)} | ${Math.round(after)} | ${Math.round(resident)} | ${heap.toFixed(1)} | ${nodes} |`);
    if (rows.some(({ highest }) => highest > MOST_MB)) {
      console.error(`More than ${MOST_MB} MB.`);
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
