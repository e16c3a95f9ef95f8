/**
 * Measures the page's memory while an hour of WAV (635 MB) is selected, uploaded, sent, opened and played. Counts all
 * renderer processes in /proc, minus those of a browser with an empty page: once without mapped files (RssAnon +
 * RssShmem), because these are the browser's program, which all its processes share, and once with them (VmRSS).
 */
import { chromium, type Browser, type CDPSession, type Page } from "@playwright/test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProject, setUpOwner, createStorageState } from "../../e2e/fixtures/api.ts";
import { copyApp } from "../../e2e/fixtures/app-copy.ts";
import { uploadCard, attachFiles } from "../../e2e/fixtures/attach-files.ts";
import { message, send } from "../../e2e/fixtures/pages.ts";
import { startService } from "../../e2e/fixtures/service.ts";
import config from "../../playwright.config.ts";
import { writeHour } from "../../server/media/testing/hour.ts";

const NAME = "hour.wav";
const MAX_MB = 150;
const POLL_INTERVAL_MS = 100;
/** Generous, because uploading and processing share the machine with other processes. */
const TIMEOUT_MS = 15 * 60_000;
const PLAYED_SECONDS = 10;

interface Row {
  label: string;
  /** MB above the empty page: `highest` during the phase, `after` at its end. */
  highest: number;
  after: number;
  /** Peak including mapped files. */
  resident: number;
  /** JavaScript heap in MB and DOM nodes of the page at the end of the phase. */
  heap: number;
  nodes: number;
}

interface RendererMemory {
  unshared: number;
  resident: number;
}

/** Returns the bytes of all renderer processes. */
async function rendererBytes(browser: CDPSession): Promise<RendererMemory> {
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  const memory: RendererMemory = { unshared: 0, resident: 0 };
  for (const { type, id } of processInfo) {
    if (type !== "renderer") continue;
    try {
      const status = readFileSync(`/proc/${id}/status`, "utf8");
      const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1_024;
      memory.unshared += bytes("RssAnon") + bytes("RssShmem");
      memory.resident += bytes("VmRSS");
    } catch {
      // The process has exited meanwhile.
    }
  }
  return memory;
}

async function measureEmptyPage(): Promise<RendererMemory> {
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const page = await browser.newPage();
    await page.goto("about:blank");
    return await rendererBytes(await browser.newBrowserCDPSession());
  } finally {
    await browser.close();
  }
}

async function measurePhases(browser: Browser, page: Page, empty: RendererMemory, path: string, projectId: number): Promise<Row[]> {
  const rows: Row[] = [];
  const [processes, devtools] = [await browser.newBrowserCDPSession(), await page.context().newCDPSession(page)];
  await devtools.send("Performance.enable");
  const memoryAboveEmpty = async () => {
    const { unshared, resident } = await rendererBytes(processes);
    return { unshared: (unshared - empty.unshared) / 1e6, resident: (resident - empty.resident) / 1e6 };
  };
  const phase = async (label: string, work: () => Promise<unknown>) => {
    const peak: RendererMemory = { unshared: 0, resident: 0 };
    const sampleMemory = async () => {
      const now = await memoryAboveEmpty();
      peak.unshared = Math.max(peak.unshared, now.unshared);
      peak.resident = Math.max(peak.resident, now.resident);
      return now.unshared;
    };
    const pollTimer = setInterval(() => void sampleMemory(), POLL_INTERVAL_MS);
    await work();
    clearInterval(pollTimer);
    const after = await sampleMemory();
    const { metrics } = await devtools.send("Performance.getMetrics");
    const metric = (name: string) => metrics.find((entry) => entry.name === name)?.value ?? 0;
    rows.push({ label, highest: peak.unshared, after, resident: peak.resident, heap: metric("JSHeapUsedSize") / 1e6, nodes: metric("Nodes") });
    console.log(`${label}: at most ${Math.round(peak.unshared)} MB, then ${Math.round(after)} MB`);
  };

  await phase("chat, empty", () => page.getByRole("textbox", { name: /^Message / }).waitFor());
  await phase("uploading", async () => {
    await attachFiles(page, path);
    await uploadCard(page, NAME).getByText("Uploaded").waitFor();
  });
  // Does not wait for the streaming copy, because playing the copy or the WAV itself takes the same memory.
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
  const waitForPosition = async (seconds: number) => {
    while ((await position()) < seconds) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  };
  await phase("playing", async () => {
    await page.getByRole("main").getByRole("button", { name: /^Play/ }).first().click();
    await waitForPosition(PLAYED_SECONDS);
  });
  await phase("playing near the end", async () => {
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.9, box.y + box.height / 2);
    await waitForPosition(3_600 * 0.89 + PLAYED_SECONDS);
  });
  await phase("back in the chat, playing on", async () => {
    await page.goBack();
    await page
      .getByRole("region", { name: "Player" })
      .or(page.getByRole("button", { name: /^Pause/ }))
      .first()
      .waitFor();
  });
  // Load the page again, as through a link.
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
  const empty = await measureEmptyPage();
  console.log(`Renderer of an empty page: ${Math.round(empty.unshared / 1e6)} MB, with mapped files ${Math.round(empty.resident / 1e6)} MB`);
  const app = await copyApp();
  const service = await startService(app.folder);
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const owner = await setUpOwner(service.url, service.setupLink());
    const project = await createProject(owner, "An hour of sound");
    const context = await browser.newContext({ storageState: createStorageState(owner), locale: "en-GB", viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    await page.goto(`${owner.url}/projects/${project.id}/chat`);
    const rows = await measurePhases(browser, page, empty, path, project.id);
    console.log("\n| page | most, MB | afterwards, MB | most with mapped files, MB | JavaScript heap, MB | DOM nodes |\n| --- | --- | --- | --- | --- | --- |");
    for (const { label, highest, after, resident, heap, nodes } of rows)
      console.log(`| ${label} | ${Math.round(highest)} | ${Math.round(after)} | ${Math.round(resident)} | ${heap.toFixed(1)} | ${nodes} |`);
    if (rows.some(({ highest }) => highest > MAX_MB)) {
      console.error(`More than ${MAX_MB} MB.`);
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
