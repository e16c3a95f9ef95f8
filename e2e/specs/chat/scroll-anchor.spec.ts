import { runBeforeClient } from "../../fixtures/before-client.ts";
import { importMessages, longHistory } from "../../fixtures/message-history.ts";
import { expect, test } from "../../fixtures/network.ts";
import { message, timeline, waitForScrollEnd } from "../../fixtures/pages.ts";
import { delayRendering } from "../../fixtures/rendering.ts";

/** Pixels per step: faster than any wheel, but within the rows that the timeline renders beyond its edge. */
const STEP = 900;
/** Milliseconds after which the virtual list counts as no longer scrolling. */
const LIST_REST_MS = 150;

declare global {
  interface Window {
    /** Makes the virtual list count as no longer scrolling. */
    restList?(): void;
  }
}

test("rows that a busy page would render late leave no gap and do not move the rows in view", async ({ organization, pair: { ana, ben, project }, open }) => {
  importMessages(organization.service, project.id, longHistory(190, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat`, { viewport: { width: 1280, height: 2_400 } });
  await expect(message(page, /#190 /)).toBeInViewport();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await waitForScrollEnd(page);
  // Scrolls up far enough that the second of two pages loads, even after rows above have been measured and are higher than estimated. Rows further above
  // the view than the list renders ahead stay unmeasured.
  await timeline(page).evaluate((log) => (log.scrollTop -= 2_500));
  await expect.poll(() => timeline(page).evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThan(10_000);
  await waitForScrollEnd(page);
  // Waits until the list no longer counts as scrolling.
  await expect(timeline(page).locator("> ul")).not.toHaveAttribute("style", /pointer-events/);
  const rendering = await delayRendering(page);
  // Two steps are longer than what is rendered above the view.
  const { text, gapPx } = await timeline(page).evaluate(async (log, step) => {
    const { top } = log.getBoundingClientRect();
    const row = [...log.querySelectorAll("li")].find((candidate) => candidate.getBoundingClientRect().top >= top)!;
    const expectedTop = row.getBoundingClientRect().top + 2 * step;
    for (let steps = 0; steps < 2; steps += 1) {
      log.scrollTop -= step;
      // A scroll between frames is reported before rows are measured, as a reader's is; a scroll within a frame is reported only in the next one.
      for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
    log.dataset["expectedTop"] = String(expectedTop);
    return { text: row.textContent ?? "", gapPx: log.querySelector("li")!.getBoundingClientRect().top - top };
  }, STEP);
  await rendering.release();
  expect(gapPx).toBeLessThanOrEqual(0);
  await expect
    .poll(() =>
      timeline(page).evaluate((log) => {
        const rows = [...log.querySelectorAll("li")];
        return rows[0]!.getBoundingClientRect().top <= log.getBoundingClientRect().top && rows.every(({ style }) => style.visibility !== "hidden");
      }),
    )
    .toBe(true);
  await waitForScrollEnd(page);
  const movedPx = await timeline(page).evaluate((log, expected) => {
    const row = [...log.querySelectorAll("li")].find(({ textContent }) => textContent === expected)!;
    return Math.abs(row.getBoundingClientRect().top - Number(log.dataset["expectedTop"]));
  }, text);
  expect(movedPx).toBeLessThanOrEqual(1);
});

test("rows of an older page that are measured only in view do not move the rows below them", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
}) => {
  importMessages(organization.service, project.id, longHistory(190, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, "/icon.svg", { viewport: { width: 1280, height: 1_600 } });
  await runBeforeClient(
    page,
    (restMs) => {
      const originalSetTimeout = window.setTimeout.bind(window);
      window.setTimeout = ((callback: () => void, ms: number) => {
        if (ms === restMs) window.restList = callback;
        return originalSetTimeout(callback, ms);
      }) as typeof setTimeout;
    },
    LIST_REST_MS,
  );
  const olderPage = await network.pause(page, "**/v1/account/projects/chat_history", {
    matches: (request) => request.postDataJSON().before_id !== undefined,
    times: 1,
  });
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(message(page, /#190 /)).toBeInViewport();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await expect(async () => {
    await timeline(page).press("Home");
    expect(await timeline(page).evaluate((log) => log.scrollTop)).toBe(0);
  }).toPass();
  await waitForScrollEnd(page);
  await expect.poll(() => olderPage.urls).toHaveLength(1);
  const scroll = await timeline(page).evaluateHandle((log, step) => {
    const row = [...log.querySelectorAll("li")].find((candidate) => candidate.getBoundingClientRect().top >= log.getBoundingClientRect().top)!;
    const expectedTop = row.getBoundingClientRect().top + step;
    const isMeasuring = () => log.querySelector('li[style*="hidden"]') !== null;
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    // After the older page is rendered and before the frame that measures its rows, the list comes to rest and the reader scrolls up into them.
    const scrolled = new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isMeasuring() || log.scrollTop < step) return;
        observer.disconnect();
        window.restList!();
        log.scrollTop -= step;
        resolve();
      });
      observer.observe(log, { subtree: true, childList: true });
    });
    return {
      async measure() {
        await scrolled;
        do await frame();
        while (isMeasuring());
        await frame();
        return Math.abs(row.getBoundingClientRect().top - expectedTop);
      },
    };
  }, STEP);
  await olderPage.end();
  expect(await scroll.evaluate(({ measure }) => measure())).toBeLessThanOrEqual(1);
});
