import type { Page } from "@playwright/test";
import { processed, upload } from "../../fixtures/files.ts";
import { extremes, knownSound } from "../../fixtures/known-sound.ts";
import { cursorLags, keepSound, laneOf, readLane, type DrawnLane } from "../../fixtures/lane.ts";
import { expect, test } from "../../fixtures/test.ts";

const sound = knownSound();
const both = [sound.left, sound.right];
/** One press of "+". */
const STEP = 1.5;
/** Where the sound stands while it is zoomed: what is there stays there. */
const AT = 13;

/** Columns that are further than one CSS pixel, sideways or upright, from what the samples say. */
function wrongColumns(drawn: DrawnLane, channels: readonly Float32Array[], from: number, span: number, [top, bottom] = [0, drawn.height]): string[] {
  const { ratio, width } = drawn;
  const half = (bottom - top) / 2;
  const step = span / width;
  const wrong: string[] = [];
  for (let x = 0; x < width; x += 1) {
    if (drawn.cursor.includes(x)) continue;
    const at = from + x * step;
    const highest = [Infinity, -Infinity];
    const lowest = [Infinity, -Infinity];
    for (let near = -ratio; near <= ratio; near += 1) {
      const [low, high] = extremes(sound, channels, at + near * step, at + (near + 1) * step);
      if (high < low) continue;
      highest[0] = Math.min(highest[0]!, high);
      highest[1] = Math.max(highest[1]!, high);
      lowest[0] = Math.min(lowest[0]!, low);
      lowest[1] = Math.max(lowest[1]!, low);
    }
    const y = (value: number) => top + half - value * half;
    const fits = (is: number, low: number, high: number) => is >= y(high) - ratio && is <= y(low) + ratio;
    const [isTop, isBottom] = [drawn.tops[x]!, drawn.bottoms[x]! + 1];
    if (isTop < 0 || !fits(isTop, highest[0]!, highest[1]!) || !fits(isBottom, lowest[0]!, lowest[1]!))
      wrong.push(`${x} (${at.toFixed(4)} s): ${isTop}-${isBottom}, not ${y(highest[1]!).toFixed(1)}-${y(lowest[0]!).toFixed(1)}`);
  }
  return wrong;
}

/** Where each click in sight is drawn, beside where it belongs: in CSS pixels. */
function clickErrors(drawn: DrawnLane, from: number, span: number): number[] {
  const tall = drawn.tops.flatMap((top, x) => (top >= 0 && top < drawn.height * 0.05 ? [x] : []));
  return sound.clicks
    .filter((at) => at > from && at < from + span)
    .map((at) => {
      const x = ((at - from) / span) * drawn.width;
      return Math.min(...tall.map((column) => Math.max(0, column - x, x - column - 1))) / drawn.ratio;
    });
}

async function zoomTo(page: Page, presses: number): Promise<[from: number, span: number]> {
  await page.keyboard.press("0");
  for (let press = 0; press < presses; press += 1) await page.keyboard.press("+");
  const factor = STEP ** presses;
  return [AT * (1 - 1 / factor), sound.seconds / factor];
}

test("what is drawn is what sounds: silence, ramp and clicks at three zooms and two densities; the cursor is where the sound is", async ({
  pair: { ana, project },
  open,
}) => {
  const id = await upload(ana, project, "known.wav", sound.wav);
  await processed(ana, id);
  for (const deviceScaleFactor of [1, 2]) {
    const page = await open(ana, "/icon.svg", { deviceScaleFactor });
    const ranges: string[] = [];
    page.on("request", (request) => /peaks\/\d/.test(request.url()) && ranges.push(request.headers()["range"] ?? "whole"));
    await page.goto(`${ana.url}/files/${id}?t=${AT}`);
    await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
    for (const presses of [0, 3, 6]) {
      const [from, span] = await zoomTo(page, presses);
      const where = `${presses} steps closer at density ${deviceScaleFactor}`;
      await expect.poll(async () => wrongColumns(await readLane(page), both, from, span), where).toEqual([]);
      const drawn = await readLane(page);
      expect(drawn.ratio, where).toBe(deviceScaleFactor);
      expect(Math.max(...clickErrors(drawn, from, span)), where).toBeLessThanOrEqual(1);
      expect(drawn.cursor.map((x) => Math.abs((x + 0.5) / drawn.width - (AT - from) / span) * drawn.width).every((off) => off <= 2 * deviceScaleFactor)).toBe(
        true,
      );
    }
    expect(ranges.filter((range) => range !== "whole").length).toBeGreaterThan(0);
    if (deviceScaleFactor === 2) continue;

    await zoomTo(page, 0);
    await page.getByRole("button", { name: "Show each channel" }).click();
    await expect
      .poll(async () => {
        const drawn = await readLane(page, 0.5, 1);
        return wrongColumns(drawn, [sound.right], 0, sound.seconds, [drawn.height / 2 + 2, drawn.height]);
      })
      .toEqual([]);
    await page.getByRole("button", { name: "Show each channel" }).click();

    // At the end nothing scrolls: the cursor alone tells the time.
    await page.keyboard.press("End");
    await zoomTo(page, 5);
    const span = sound.seconds / STEP ** 5;
    const canvas = (await laneOf(page).locator("canvas").boundingBox())!;
    await keepSound(page);
    await laneOf(page)
      .locator("canvas")
      .click({ position: { x: canvas.width * 0.1, y: canvas.height / 2 } });
    const measured = cursorLags(page, { from: sound.seconds - span, span });
    await page.keyboard.press(" ");
    const lags = await measured;
    expect(lags.length).toBeGreaterThan(5);
    const middle = lags.map(Math.abs).toSorted((a, b) => a - b)[Math.floor(lags.length / 2)]!;
    expect(middle, lags.map((lag) => lag.toFixed(3)).join(" ")).toBeLessThan(0.006);
  }
});
