import type { Page } from "@playwright/test";
import { answered } from "../../fixtures/guard.ts";
import { processed, sendFiles, upload } from "../../fixtures/files.ts";
import { importMessages, longHistory } from "../../fixtures/import.ts";
import { png } from "../../fixtures/media.ts";
import { message, railProject, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const COUNT = 5_000;
const BETWEEN_PICTURES = 60;
/** Some steps of the walk: its row has been drawn and passed by then. */
const IMAGE_LATE_MS = 100;
/** A tall view, so that the whole way is walked in seconds. */
const VIEWPORT = { width: 1280, height: 1_600 };
/** Pixels at a time: faster than any wheel, and no further than the rows that the timeline draws beyond its edge. */
const STEP = 900;

interface Walk {
  /** Where a row stood more than a pixel from where the reader's own scrolling put it. */
  jumps: { step: number; pixels: number; row: string }[];
  steps: number;
  /** Images that were there only after their row. */
  late: number;
  seen: number[];
}

test("5,000 messages page upward to the first without a pixel of jump, a gap or a double, also where images come late", async ({
  house,
  pair: { ana, ben, project },
  open,
}) => {
  test.slow();
  const pictures = await Promise.all([1, 2, 3, 4, 5, 6].map((one) => upload(ana, project, `cover ${one}.png`, png(400, 120 * one, one * 40))));
  await Promise.all(pictures.map((id) => processed(ana, id)));
  const lines = longHistory(COUNT, [ana.id, ben.id], Date.now());
  let from = COUNT - pictures.length * BETWEEN_PICTURES;
  importMessages(house.service, project.id, lines.slice(0, from), [ana.id]);
  for (const id of pictures) {
    await sendFiles(ana, project, [id]);
    importMessages(house.service, project.id, lines.slice(from, (from += BETWEEN_PICTURES)), [ana.id]);
  }
  const page = await open(ana, "/icon.svg", { viewport: VIEWPORT });
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() === "image") await new Promise((resolve) => setTimeout(resolve, IMAGE_LATE_MS));
    await route.continue();
  });
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(message(page, new RegExp(`#${COUNT} `))).toBeInViewport();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);

  const walk = await timeline(page).evaluate(async (log, step): Promise<Walk> => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // Where things stand is the matter, not how they are painted, which costs most.
    log.style.visibility = "hidden";
    const rows = () => [...log.querySelectorAll("li")];
    const seen = new Set<number>();
    const note = () => {
      for (const row of rows()) {
        const number = /#(\d+) /.exec(row.textContent ?? "")?.[1];
        if (number) seen.add(Number(number));
      }
    };
    note();
    let late = 0;
    log.addEventListener("load", () => (late += 1), { capture: true });
    const view = log.getBoundingClientRect();
    const jumps: Walk["jumps"] = [];
    let steps = 0;
    for (let still = 0; still < 200;) {
      const anchor = rows().find((row) => {
        const { top } = row.getBoundingClientRect();
        return top >= view.top && top < view.top + view.height - step - 20;
      });
      if (!anchor) break;
      // A row that has come in this very frame takes its measure after it.
      let before = NaN;
      for (let at = anchor.getBoundingClientRect().top; before !== at; at = anchor.getBoundingClientRect().top) {
        before = at;
        await frame();
      }
      const moved = Math.min(step, log.scrollTop);
      log.scrollTop -= moved;
      await frame();
      await frame();
      note();
      // Where nothing is loaded yet, the reader stands still and waits: also then nothing may move.
      if (moved === 0) still += 1;
      else still = 0;
      const error = () => (anchor.isConnected ? anchor.getBoundingClientRect().top - before - moved : 0);
      // On a slow machine the sizes of new rows may come some frames later: where it all comes to rest counts.
      for (let last = NaN; Math.abs(error()) > 1 && last !== error();) {
        last = error();
        for (let frames = 0; frames < 5; frames += 1) await frame();
      }
      const pixels = error();
      if (Math.abs(pixels) > 1) jumps.push({ step: steps, pixels, row: anchor.textContent?.slice(0, 60) ?? "" });
      steps += 1;
      if (log.textContent?.includes("This is where") && log.scrollTop === 0) break;
    }
    log.style.visibility = "";
    return { jumps, steps, late, seen: [...seen].sort((a, b) => a - b) };
  }, STEP);

  await expect(page.getByText(`This is where ${project.name} begins.`)).toBeInViewport();
  await expect(message(page, /#1 /)).toBeInViewport();
  expect(walk.seen).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
  expect(walk.late).toBeGreaterThan(0);
  expect(walk.jumps, `in ${walk.steps} steps`).toEqual([]);

  // And all the way back, out of the window that is kept.
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(message(page, new RegExp(`#${COUNT} `))).toBeInViewport();
});

/** Presses Home once, in the moment in which the first rows are in the page and not measured yet. */
const pressHomeWithFirstRows = (page: Page) =>
  page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const log = document.querySelector<HTMLElement>("[role=log]");
      if (!log?.querySelector("li")) return;
      observer.disconnect();
      log.focus();
      log.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true });
  });

test("Home leads to the top as soon as a chat has opened; older messages that do not load say so and come after Try again", async ({ house, pair: { ana, ben, project }, open, guard }) => {
  guard.allow(answered(503));
  importMessages(house.service, project.id, longHistory(300, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, "/icon.svg");
  let failing = true;
  await page.route("**/v1/account/projects/chat_history", (route) =>
    failing && route.request().postDataJSON().before_id
      ? route.fulfill({ status: 503, contentType: "application/problem+json", json: { object: "error", status: 503, title: "Busy" } })
      : route.fallback(),
  );
  await page.goto(`${ana.url}/settings/profile`);
  await pressHomeWithFirstRows(page);
  await railProject(page, project.name).click();
  await expect(page.getByText("Older messages could not be loaded.")).toBeVisible();
  failing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Older messages could not be loaded.")).toHaveCount(0);
  await expect(async () => {
    await timeline(page).press("Home");
    await expect(message(page, /#1 /)).toBeInViewport({ timeout: 500 });
  }).toPass();
});
