/** Builds the yardsticks' pages and opens pages of the client and of them. */
import type { BrowserContext, Page } from "@playwright/test";
import { join } from "node:path";
import { build } from "vite";
import { createStorageState } from "../../e2e/fixtures/api.ts";
import type { DataPerson } from "../data/data-set.ts";
import type { BenchContext } from "./bench-context.ts";
import type { PageCalls } from "./page-process.ts";

const PAGES = join(import.meta.dirname, "..", "pages");

/** Builds the pages as the client is built, and returns their address and folder. */
export async function servePages(context: BenchContext, messages = 1): Promise<{ base: string; folder: string; stop(): Promise<void> }> {
  const folder = join(context.folder, "pages");
  context.log("building the yardstick's pages");
  const input = ["plain-list", "libraries", "wavesurfer"].map((name) => join(PAGES, `${name}.html`));
  await build({ root: PAGES, configFile: false, logLevel: "error", base: "/", build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input } } });
  const server = await context.helper<PageCalls>(new URL("page-process.ts", import.meta.url));
  const base = await server.call("serve", { folder, messages });
  return { base, folder, stop: () => server.stop() };
}

/** Opens a browser window in which this person is signed in. */
export async function openWindow(context: BenchContext, { id, name, cookie }: DataPerson, viewport = { width: 1_280, height: 900 }): Promise<BrowserContext> {
  const [browser, service] = [await context.browser(), await context.service()];
  const storageState = createStorageState({ id, name, email: "", password: "", cookie, url: service.base });
  return browser.newContext({ storageState, locale: "en-GB", viewport });
}

/** Records the duration of each frame from now on; `readFrames` returns them. */
export const recordFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const recorded: number[] = [];
    Object.assign(window, { recordedFrames: recorded });
    let last = performance.now();
    const frame = (now: number) => {
      recorded.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(frame);
    });
  });

export const readFrames = (page: Page): Promise<number[]> => page.evaluate(() => (window as unknown as { recordedFrames: number[] }).recordedFrames);

/** Returns megabytes of the JavaScript heap after a garbage collection. */
export async function readHeap(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await devtools.send("Runtime.getHeapUsage")) as { usedSize: number };
  return usedSize / 1e6;
}
