/** From clicking Send in one browser to the drawn message in another. */
import type { Page } from "@playwright/test";
import type { Benchmark } from "../lib/benchmark.ts";
import { openWindow } from "../lib/pages.ts";
import { percentile } from "../lib/statistics.ts";
import type { BroadcastCalls } from "./broadcast-process.ts";

const MESSAGES = 40;

/** Starts to wait, in the page, for the text and the end of the frame that draws it. */
const watchFor = (page: Page, text: string): Promise<void> =>
  page.evaluate((wanted) => {
    const log = document.querySelector("[role=log]")!;
    const drawn = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error(`${wanted} was not drawn`)), 20_000);
      const observer = new MutationObserver(() => {
        if (!log.lastElementChild || !log.textContent?.includes(wanted)) return;
        observer.disconnect();
        // The task after the frame's callbacks follows its painting.
        requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
      });
      observer.observe(log, { childList: true, subtree: true, characterData: true });
    });
    drawn.catch(() => {});
    Object.assign(window, { drawn });
  }, text);

/** Returns the milliseconds from the click in one page to the frame in the other, for each message. */
async function measureEcho(sender: Page, reader: Page, label: string, count: number): Promise<number[]> {
  const field = sender.getByRole("textbox", { name: /^Message/ });
  const button = sender.getByRole("button", { name: "Send", exact: true });
  const latencies: number[] = [];
  for (let index = -3; index < count; index += 1) {
    const text = `${label} ${index} at ${Date.now()}`;
    await watchFor(reader, text);
    await field.fill(text);
    // Waits until the text can be sent.
    await button.click({ trial: true });
    const clickedAt = await button.evaluate((element: HTMLElement) => {
      const now = performance.timeOrigin + performance.now();
      element.click();
      return now;
    });
    const drawnAt = await reader.evaluate(() => (window as unknown as { drawn: Promise<number> }).drawn);
    if (index >= 0) latencies.push(drawnAt - clickedAt);
  }
  return latencies;
}

export const echo: Benchmark = {
  name: "echo",
  title: "click Send in one browser to drawn in another, against a bare WebSocket between two pages",
  async run(context) {
    const [{ ana, ben, chats }, service] = [await context.data(), await context.service()];
    const bare = await context.helper<BroadcastCalls>(new URL("broadcast-process.ts", import.meta.url));
    const port = await bare.call("useFrame", "{body}");
    const [anaWindow, benWindow] = [await openWindow(context, ana), await openWindow(context, ben)];
    const openChat = async (window: typeof anaWindow) => {
      const page = await window.newPage();
      await page.goto(`${service.base}/projects/${chats.large.project}/chat`);
      await page.getByRole("log").getByRole("listitem").last().waitFor();
      return page;
    };
    const openBare = async (window: typeof anaWindow) => {
      const page = await window.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.locator("body[data-open]").waitFor();
      return page;
    };
    const pages = { sender: await openChat(anaWindow), reader: await openChat(benWindow) };
    const bares = { sender: await openBare(anaWindow), reader: await openBare(benWindow) };
    // A page in the background of its window draws no frames.
    const show = async ({ sender, reader }: typeof pages) => {
      await sender.bringToFront();
      await reader.bringToFront();
      return [sender, reader] as const;
    };
    const count = context.isQuick ? 5 : MESSAGES;
    const measured = await context.inTurn(context.rounds(3), {
      "bare WebSocket": async (round) => measureEcho(...(await show(bares)), `Bare ${round}`, count),
      chat: async (round) => measureEcho(...(await show(pages)), `Chat ${round}`, count),
    });
    await Promise.all([anaWindow.close(), benWindow.close(), bare.stop()]);
    return ([0.95, 0.5] as const).map((share) => ({
      work: share === 0.95 ? `click to drawn, p95 of ${count}` : "the same, p50",
      unit: "ms",
      values: measured.chat.map((latencies) => percentile(latencies, share)),
      yardstick: { name: "bare WebSocket", values: measured["bare WebSocket"].map((latencies) => percentile(latencies, share)) },
      ...(share === 0.95 ? { goal: { of: "ratio" as const, better: "lower" as const, must: 3, aim: 1.5 } } : {}),
    }));
  },
};
