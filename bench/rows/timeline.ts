/** Scrolling through a long chat by wheel. */
import type { Page } from "@playwright/test";
import { walkToTop } from "../../e2e/fixtures/walk-to-top.ts";
import type { Benchmark } from "../lib/benchmark.ts";
import { openWindow, readFrames, readHeap, recordFrames, servePages } from "../lib/pages.ts";
import { percentile } from "../lib/statistics.ts";

const WHEEL_PIXELS = 1_500;
const LONG_FRAME_MS = 100;
/** Steps of the walk that compares each row's position with where scrolling put it: some 10 pages of messages. */
const STEPS = 200;
const STEP_PIXELS = 250;

interface Wheel {
  frames: number[];
  nodes: number;
  heap: number;
  pixels: number;
}

/** Turns the wheel up as fast as the browser accepts it. */
async function wheelUp(page: Page, seconds: number): Promise<Wheel> {
  await page.getByRole("log").hover();
  await recordFrames(page);
  const end = performance.now() + seconds * 1_000;
  let [pixels, nodes] = [0, 0];
  for (let turn = 0; performance.now() < end; turn += 1) {
    await page.mouse.wheel(0, -WHEEL_PIXELS);
    pixels += WHEEL_PIXELS;
    if (turn % 20 === 0) nodes = Math.max(nodes, await page.evaluate(() => document.querySelectorAll("*").length));
  }
  return { frames: await readFrames(page), nodes, heap: await readHeap(page), pixels };
}

export const timeline: Benchmark = {
  name: "timeline",
  title: "wheel up through a chat of 100,000 with paging, and rows that move when older ones load, against virtua on plain rows",
  async run(context) {
    const [{ ana, chats, sizes }, service] = [await context.data(), await context.service()];
    const pages = await servePages(context, sizes.largeChat);
    const window = await openWindow(context, ana);
    const open = async (url: string, rows: string) => {
      const page = await window.newPage();
      const startedAt = performance.now();
      await page.goto(url);
      await page.locator(rows).last().waitFor();
      return { page, ms: performance.now() - startedAt };
    };
    const openChat = () => open(`${service.base}/projects/${chats.large.project}/chat`, "[role=log] li");
    const openRows = () => open(`${pages.base}/plain-list.html`, "[role=log] .row");
    const run = (openPage: typeof openChat, seconds: number) => async () => {
      const { page, ms } = await openPage();
      const wheel = await wheelUp(page, seconds);
      await page.close();
      return { ...wheel, ms };
    };
    // The first load compiles code.
    await (await openChat()).page.close();
    const measured = await context.inTurn(context.rounds(3), {
      "plain rows": run(openRows, context.seconds(4)),
      chat: run(openChat, context.seconds(11)),
    });
    context.log("a walk that checks where rows are");
    const { page } = await openChat();
    const walk = await walkToTop(page, STEP_PIXELS, context.isQuick ? 20 : STEPS);
    context.log("links to messages");
    const jumps: number[] = [];
    for (let jump = 0; jump < context.rounds(3); jump += 1) {
      const startedAt = performance.now();
      await page.goto(`${service.base}/projects/${chats.large.project}/chat/${chats.large.middle}`);
      await page.locator(`[data-message="${chats.large.middle}"]`).waitFor();
      jumps.push(performance.now() - startedAt);
    }
    await window.close();
    await pages.stop();

    const values = (side: keyof typeof measured, read: (wheel: Wheel & { ms: number }) => number) => measured[side].map(read);
    const beside = (read: (wheel: Wheel & { ms: number }) => number) => ({
      values: values("chat", read),
      yardstick: { name: "virtua, plain rows", values: values("plain rows", read) },
    });
    const longFrames = ({ frames }: Wheel) => frames.filter((ms) => ms > LONG_FRAME_MS).length;
    const excess = measured.chat.map((chat, round) => Math.max(0, longFrames(chat) - longFrames(measured["plain rows"][round]!)));
    return [
      {
        work: "between frames, p99",
        unit: "ms",
        ...beside(({ frames }) => percentile(frames, 0.99)),
        goal: { of: "ratio", better: "lower", must: 1.5, aim: 1.02 },
      },
      { work: "longest frame", unit: "ms", ...beside(({ frames }) => Math.max(...frames)) },
      { work: `frames over ${LONG_FRAME_MS} ms more than plain rows`, unit: "", values: excess, goal: { of: "value", better: "lower", must: 0 } },
      {
        work: "rows that move when older ones load",
        unit: "px",
        values: [Math.max(0, ...walk.jumps.map(({ pixels }) => Math.abs(pixels)))],
        goal: { of: "value", better: "lower", must: 1 },
        note: `${walk.steps} steps of ${STEP_PIXELS} px; below 1 px counts as 0`,
      },
      { work: "DOM nodes, most", unit: "", ...beside(({ nodes }) => nodes), goal: { of: "value", better: "lower", must: 2_000 } },
      { work: "JavaScript heap", unit: "MB", ...beside(({ heap }) => heap) },
      { work: "opening: address to rows", unit: "ms", ...beside(({ ms }) => ms), note: "plain rows load all texts first" },
      { work: "opening a link to the message in the middle: address to row", unit: "ms", values: jumps },
      { work: "wheel", unit: "px/s", ...beside(({ pixels, frames }) => pixels / (frames.reduce((sum, ms) => sum + ms, 0) / 1_000)) },
    ];
  },
};
