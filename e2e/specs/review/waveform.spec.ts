import type { Page } from "@playwright/test";
import { measureCursorLags, exposeMediaElement, detailWaveform, readWaveform, type DrawnWaveform } from "../../fixtures/detail-waveform.ts";
import { waitUntilProcessed, upload } from "../../fixtures/files.ts";
import { sampleRange, createReferenceSignal } from "../../fixtures/reference-signal.ts";
import { expect, test } from "../../fixtures/test.ts";

const sound = createReferenceSignal();
const bothChannels = [sound.left, sound.right];
/** Zoom factor of one press of "+". */
const ZOOM_STEP = 1.5;
/** Playback position during zooming, which stays in place on the screen. */
const PLAYHEAD_SECONDS = 13;

/** Returns the columns that differ by more than one CSS pixel, horizontally or vertically, from the samples. */
function findWrongColumns(drawn: DrawnWaveform, channels: readonly Float32Array[], from: number, span: number, [top, bottom] = [0, drawn.height]): string[] {
  const { ratio, width } = drawn;
  const half = (bottom - top) / 2;
  const step = span / width;
  const mismatches: string[] = [];
  for (let x = 0; x < width; x += 1) {
    if (drawn.playhead.includes(x)) continue;
    const time = from + x * step;
    const highest = [Infinity, -Infinity];
    const lowest = [Infinity, -Infinity];
    for (let offset = -ratio; offset <= ratio; offset += 1) {
      const [low, high] = sampleRange(sound, channels, time + offset * step, time + (offset + 1) * step);
      if (high < low) continue;
      highest[0] = Math.min(highest[0]!, high);
      highest[1] = Math.max(highest[1]!, high);
      lowest[0] = Math.min(lowest[0]!, low);
      lowest[1] = Math.max(lowest[1]!, low);
    }
    const y = (value: number) => top + half - value * half;
    const fits = (actual: number, low: number, high: number) => actual >= y(high) - ratio && actual <= y(low) + ratio;
    const [actualTop, actualBottom] = [drawn.tops[x]!, drawn.bottoms[x]! + 1];
    if (actualTop < 0 || !fits(actualTop, highest[0]!, highest[1]!) || !fits(actualBottom, lowest[0]!, lowest[1]!))
      mismatches.push(`${x} (${time.toFixed(4)} s): ${actualTop}-${actualBottom}, not ${y(highest[1]!).toFixed(1)}-${y(lowest[0]!).toFixed(1)}`);
  }
  return mismatches;
}

/** Returns the distance in CSS pixels between each visible click as drawn and its true position. */
function measureClickErrors(drawn: DrawnWaveform, from: number, span: number): number[] {
  const clickColumns = drawn.tops.flatMap((top, x) => (top >= 0 && top < drawn.height * 0.05 ? [x] : []));
  return sound.clicks
    .filter((time) => time > from && time < from + span)
    .map((time) => {
      const x = ((time - from) / span) * drawn.width;
      return Math.min(...clickColumns.map((column) => Math.max(0, column - x, x - column - 1))) / drawn.ratio;
    });
}

async function zoomTo(page: Page, presses: number): Promise<[from: number, span: number]> {
  await page.keyboard.press("0");
  for (let press = 0; press < presses; press += 1) await page.keyboard.press("+");
  const factor = ZOOM_STEP ** presses;
  return [PLAYHEAD_SECONDS * (1 - 1 / factor), sound.seconds / factor];
}

test("the waveform shows the audio's silence, ramp and clicks at three zooms and two pixel densities, with the playhead at the playback position", async ({
  pair: { ana, project },
  open,
}) => {
  const id = await upload(ana, project, "known.wav", sound.wav);
  await waitUntilProcessed(ana, id);
  for (const deviceScaleFactor of [1, 2]) {
    const page = await open(ana, "/icon.svg", { deviceScaleFactor });
    const ranges: string[] = [];
    page.on("request", (request) => /peaks\/\d/.test(request.url()) && ranges.push(request.headers()["range"] ?? "whole"));
    await page.goto(`${ana.url}/files/${id}?t=${PLAYHEAD_SECONDS}`);
    await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
    for (const presses of [0, 3, 6]) {
      const [from, span] = await zoomTo(page, presses);
      const label = `${presses} steps closer at density ${deviceScaleFactor}`;
      await expect.poll(async () => findWrongColumns(await readWaveform(page), bothChannels, from, span), label).toEqual([]);
      const drawn = await readWaveform(page);
      expect(drawn.ratio, label).toBe(deviceScaleFactor);
      expect(Math.max(...measureClickErrors(drawn, from, span)), label).toBeLessThanOrEqual(1);
      expect(
        drawn.playhead
          .map((x) => Math.abs((x + 0.5) / drawn.width - (PLAYHEAD_SECONDS - from) / span) * drawn.width)
          .every((distance) => distance <= 2 * deviceScaleFactor),
      ).toBe(true);
    }
    expect(ranges.filter((range) => range !== "whole").length).toBeGreaterThan(0);
    if (deviceScaleFactor === 2) continue;

    await zoomTo(page, 0);
    await page.getByRole("button", { name: "Show channels separately" }).click();
    await expect
      .poll(async () => {
        const drawn = await readWaveform(page, 0.5, 1);
        return findWrongColumns(drawn, [sound.right], 0, sound.seconds, [drawn.height / 2 + 2, drawn.height]);
      })
      .toEqual([]);
    await page.getByRole("button", { name: "Show channels separately" }).click();

    // At the end the waveform no longer scrolls, so only the playhead shows the time.
    await page.keyboard.press("End");
    await zoomTo(page, 5);
    const span = sound.seconds / ZOOM_STEP ** 5;
    const canvas = (await detailWaveform(page).locator("canvas").boundingBox())!;
    await exposeMediaElement(page);
    await detailWaveform(page)
      .locator("canvas")
      .click({ position: { x: canvas.width * 0.1, y: canvas.height / 2 } });
    const pendingLags = measureCursorLags(page, { from: sound.seconds - span, span });
    await page.keyboard.press(" ");
    const lags = await pendingLags;
    expect(lags.length).toBeGreaterThan(5);
    const median = lags.map(Math.abs).toSorted((a, b) => a - b)[Math.floor(lags.length / 2)]!;
    expect(median, lags.map((lag) => lag.toFixed(3)).join(" ")).toBeLessThan(0.006);
  }
});
