/** What a browser loads until a chat is usable. */
import type { BrowserContext } from "@playwright/test";
import lighthouse, { desktopConfig } from "lighthouse";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { ROOT } from "../../bin/lib/paths.mjs";
import { findFreePort } from "../../bin/testing/service-start.ts";
import { measureFirstLoad } from "../../bin/testing/budget.ts";
import type { Benchmark, Goal, Line } from "../lib/benchmark.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { launchBrowser } from "../lib/browser.ts";
import { openWindow, servePages } from "../lib/pages.ts";

interface Loaded {
  /** Compressed bytes of everything. */
  bytes: number;
  requests: number;
  ms: number;
}

/** Opens an address in an empty browser and counts what it loads until `selector` is there and the network is silent. */
async function countLoaded(window: BrowserContext, url: string, selector: string): Promise<Loaded> {
  const page = await window.newPage();
  const devtools = await window.newCDPSession(page);
  await devtools.send("Network.enable");
  const loaded: Loaded = { bytes: 0, requests: 0, ms: 0 };
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    loaded.bytes += encodedDataLength;
    loaded.requests += 1;
  });
  const startedAt = performance.now();
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  loaded.ms = performance.now() - startedAt;
  const counted = { ...loaded };
  await page.close();
  return counted;
}

/** Returns Lighthouse's score for performance, 0 to 100, and its largest contentful paint in milliseconds. */
async function score(port: number, url: string, cookie: string, desktop: boolean): Promise<{ score: number; paint: number; shift: number; blocked: number }> {
  const result = await lighthouse(
    url,
    { output: "json", logLevel: "error", onlyCategories: ["performance"], port, extraHeaders: { cookie } },
    desktop ? desktopConfig : undefined,
  );
  if (!result || result.lhr.runtimeError) throw new Error(`Lighthouse failed: ${result?.lhr.runtimeError?.message ?? "no result"}`);
  const { categories, audits } = result.lhr;
  const read = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  return {
    score: (categories["performance"]?.score ?? Number.NaN) * 100,
    paint: read("largest-contentful-paint"),
    shift: read("cumulative-layout-shift"),
    blocked: read("total-blocking-time"),
  };
}

/** Scores addresses on a phone and a desktop, in turn. */
async function scoreAll(context: BenchContext, chat: { url: string; cookie: string }, bare: string): Promise<Line[]> {
  const port = await findFreePort();
  // Lighthouse opens a page of its own over the debugging port.
  const browser = await launchBrowser(context.log, [`--remote-debugging-port=${port}`]);
  context.onEnd(() => browser.close());
  const lines: Line[] = [];
  for (const desktop of [false, true]) {
    const measured = await context.inTurn(context.isQuick ? 1 : 2, {
      "libraries alone": () => score(port, bare, "", desktop),
      [desktop ? "chat, desktop" : "chat, phone"]: () => score(port, chat.url, chat.cookie, desktop),
    });
    const [reference, chats] = [measured["libraries alone"]!, measured[desktop ? "chat, desktop" : "chat, phone"]!];
    const details = chats.at(-1)!;
    lines.push({
      work: `Lighthouse, ${desktop ? "desktop" : "mobile"}`,
      unit: "",
      values: chats.map((one) => one.score),
      yardstick: { name: "libraries alone", values: reference.map((one) => one.score) },
      goal: { of: "value", better: "higher", must: desktop ? 98 : 90, aim: desktop ? 100 : 95 },
      note: `largest paint ${(details.paint / 1_000).toFixed(1)} s, blocked ${Math.round(details.blocked)} ms, shift ${details.shift.toFixed(2)}`,
    });
  }
  await browser.close();
  return lines;
}

export const firstLoad: Benchmark = {
  name: "first-load",
  title: "bytes and requests to a usable chat, and Lighthouse, against react, router and query alone",
  async run(context) {
    const [{ ana, chats }, service, pages] = [await context.data(), await context.service(), await servePages(context)];
    const scripts = readdirSync(join(pages.folder, "assets")).filter(
      (name) => name.startsWith("libraries") || name.startsWith("jsx") || name.startsWith("client"),
    );
    const sizeOf = (compress: (bytes: Buffer) => Buffer) =>
      scripts.reduce((sum, name) => sum + compress(readFileSync(join(pages.folder, "assets", name))).length, 0) / 1_000;
    const eager = measureFirstLoad(join(ROOT, "dist"), new Map()).bytes / 1_000;

    const [url, bare] = [`${service.base}/projects/${chats.large.project}/chat`, `${pages.base}/libraries.html`];
    const inWindow = async (address: string, selector: string): Promise<Loaded> => {
      const window = await openWindow(context, ana);
      const loaded = await countLoaded(window, address, selector);
      await window.close();
      return loaded;
    };
    const measured = await context.inTurn(context.rounds(3), {
      "libraries alone": () => inWindow(bare, "h1"),
      chat: () => inWindow(url, "[role=log] li"),
    });
    const beside = (read: (loaded: Loaded) => number) => ({
      values: measured.chat.map(read),
      yardstick: { name: "react, router and query alone", values: measured["libraries alone"].map(read) },
    });
    const limit: Goal = { of: "value", better: "lower", must: 200, aim: 170 };
    const lines: Line[] = [
      {
        work: "JavaScript of the first load, gzip",
        unit: "kB",
        values: [eager],
        yardstick: { name: "react, router and query alone", values: [sizeOf((bytes) => gzipSync(bytes, { level: 9 }))] },
        goal: limit,
        note: `the libraries in Brotli: ${sizeOf((bytes) => brotliCompressSync(bytes)).toFixed(0)} kB`,
      },
      { work: "all bytes to a usable chat, Brotli", unit: "kB", ...beside(({ bytes }) => bytes / 1_000) },
      { work: "requests to a usable chat", unit: "", ...beside(({ requests }) => requests) },
      { work: "address to a usable chat, on this machine", unit: "ms", ...beside(({ ms }) => ms) },
    ];
    lines.push(...(await scoreAll(context, { url, cookie: ana.cookie }, bare)));
    await pages.stop();
    return lines;
  },
};
