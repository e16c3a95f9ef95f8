/** Plays sounds in a real browser and captures what is heard after each seek. */
import { chromium, type Browser, type Page } from "@playwright/test";
import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ROOT } from "../../bin/lib/paths.mjs";
import { installedBrowserPath } from "../../bin/testing/browser.ts";
import { CAPTURE_MODULE_URL, captureAfterSeeks, type Heard } from "./listening-page.ts";

/** Chromium's sandbox works neither as root nor in most containers. */
const LAUNCH_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"];

export interface Listener {
  /** Plays the file with this content type from each of the seconds. */
  listen(path: string, mime: string, seconds: readonly number[]): Promise<Heard>;
  close(): Promise<void>;
}

/** Serves one file at a time as the service does: with its content type, length and single ranges. */
function serveFile({ path, mime }: { path: string; mime: string }, request: IncomingMessage, response: ServerResponse): void {
  const { size } = statSync(path);
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  const start = range ? Number(range[1]) : 0;
  const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
  if (start >= size) return void response.writeHead(416, { "content-range": `bytes */${size}` }).end();
  response.writeHead(range ? 206 : 200, {
    "content-type": mime,
    "content-length": end - start + 1,
    "accept-ranges": "bytes",
    ...(range ? { "content-range": `bytes ${start}-${end}/${size}` } : {}),
  });
  createReadStream(path, { start, end })
    .on("error", () => response.destroy())
    .pipe(response);
}

export async function startListener(): Promise<Listener> {
  const files = new Map<string, { path: string; mime: string }>();
  const server: Server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    if (file) serveFile(file, request, response);
    else response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Listener</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executablePath = installedBrowserPath(ROOT);
  const browser: Browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: LAUNCH_ARGUMENTS });
  const page: Page = await browser.newPage();
  await page.goto(origin);
  let count = 0;
  return {
    async listen(path, mime, seconds) {
      const url = `/sound-${(count += 1)}`;
      files.set(url, { path, mime });
      try {
        return await page.evaluate(captureAfterSeeks, { url, moduleUrl: CAPTURE_MODULE_URL, seconds: [...seconds] });
      } finally {
        files.delete(url);
      }
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
