import type { Page } from "@playwright/test";
import { waitUntilProcessed, sendFiles, upload } from "../../fixtures/files.ts";
import { png } from "../../fixtures/media.ts";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { importMessages, longHistory } from "../../fixtures/message-history.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message, timeline, waitForScrollEnd } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const COUNT = 5_000;
const MESSAGES_PER_IMAGE = 60;
/** Several steps of the walk, so that the row has been rendered and passed by then. */
const IMAGE_DELAY_MS = 100;
/** A tall viewport, so that the whole walk takes seconds. */
const VIEWPORT = { width: 1280, height: 1_600 };
/** Pixels per step: faster than any wheel, but within the rows that the timeline renders beyond its edge. */
const STEP = 900;

interface Walk {
  /** Rows more than a pixel away from where the reader's own scrolling put them. */
  jumps: { step: number; pixels: number; row: string }[];
  steps: number;
  /** Images that loaded after their row. */
  lateImageCount: number;
  seen: number[];
}

test("5,000 messages page upward to the first without a jump, a gap or a duplicate, even when images load late", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  test.slow();
  const imageIds = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => upload(ana, project, `cover ${number}.png`, png(400, 120 * number, number * 40))));
  await Promise.all(imageIds.map((id) => waitUntilProcessed(ana, id)));
  const messages = longHistory(COUNT, [ana.id, ben.id], Date.now());
  let from = COUNT - imageIds.length * MESSAGES_PER_IMAGE;
  importMessages(organization.service, project.id, messages.slice(0, from), [ana.id]);
  for (const id of imageIds) {
    await sendFiles(ana, project, [id]);
    importMessages(organization.service, project.id, messages.slice(from, (from += MESSAGES_PER_IMAGE)), [ana.id]);
  }
  const page = await open(ana, "/icon.svg", { viewport: VIEWPORT });
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() === "image") await new Promise((resolve) => setTimeout(resolve, IMAGE_DELAY_MS));
    await route.continue();
  });
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(message(page, new RegExp(`#${COUNT} `))).toBeInViewport();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);

  const walk = await timeline(page).evaluate(async (log, step): Promise<Walk> => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // Only positions matter, so skip painting, which costs most.
    log.style.visibility = "hidden";
    const rows = () => [...log.querySelectorAll("li")];
    const seen = new Set<number>();
    const recordRows = () => {
      for (const row of rows()) {
        const number = /#(\d+) /.exec(row.textContent ?? "")?.[1];
        if (number) seen.add(Number(number));
      }
    };
    recordRows();
    let lateImageCount = 0;
    log.addEventListener("load", () => (lateImageCount += 1), { capture: true });
    const view = log.getBoundingClientRect();
    const jumps: Walk["jumps"] = [];
    let steps = 0;
    for (let idleSteps = 0; idleSteps < 200;) {
      const anchor = rows().find((row) => {
        const { top } = row.getBoundingClientRect();
        return top >= view.top && top < view.top + view.height - step - 20;
      });
      if (!anchor) break;
      // A row rendered in this frame is measured after it.
      let before = NaN;
      for (let currentTop = anchor.getBoundingClientRect().top; before !== currentTop; currentTop = anchor.getBoundingClientRect().top) {
        before = currentTop;
        await frame();
      }
      const moved = Math.min(step, log.scrollTop);
      log.scrollTop -= moved;
      await frame();
      await frame();
      recordRows();
      // Until the next page is loaded the reader waits, and nothing may move then either.
      if (moved === 0) idleSteps += 1;
      else idleSteps = 0;
      const drift = () => (anchor.isConnected ? anchor.getBoundingClientRect().top - before - moved : 0);
      // On a slow machine new rows may be measured some frames later, so the final position counts.
      for (let last = NaN; Math.abs(drift()) > 1 && last !== drift();) {
        last = drift();
        for (let frames = 0; frames < 5; frames += 1) await frame();
      }
      const pixels = drift();
      if (Math.abs(pixels) > 1) jumps.push({ step: steps, pixels, row: anchor.textContent?.slice(0, 60) ?? "" });
      steps += 1;
      if (log.textContent?.includes("This is the beginning") && log.scrollTop === 0) break;
    }
    log.style.visibility = "";
    return { jumps, steps, lateImageCount, seen: [...seen].sort((a, b) => a - b) };
  }, STEP);

  await expect(page.getByText(`This is the beginning of ${project.name}.`)).toBeInViewport();
  await expect(message(page, /#1 /)).toBeInViewport();
  expect(walk.seen).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
  expect(walk.lateImageCount).toBeGreaterThan(0);
  expect(walk.jumps, `in ${walk.steps} steps`).toEqual([]);

  // Walks all the way back, beyond the loaded window.
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(message(page, new RegExp(`#${COUNT} `))).toBeInViewport();
});

/** Acts on the timeline of the next page once, `frames` animation frames after its first rows are there, when not all of them are measured yet. */
const actWithFirstRows = (page: Page, action: "press Home" | "scroll up", frames: number) =>
  runBeforeClient(
    page,
    ([actionOfTest, frameCount]) => {
      new MutationObserver(async (_, observer) => {
        const log = document.querySelector<HTMLElement>("[role=log]");
        if (!log?.querySelector("li")) return;
        observer.disconnect();
        for (let frame = 0; frame < frameCount; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
        if (actionOfTest === "press Home") {
          log.focus();
          log.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
          return;
        }
        // A synthetic event does not scroll by itself.
        log.dispatchEvent(new WheelEvent("wheel", { deltaY: -2_000, bubbles: true }));
        log.scrollBy({ top: -2_000, behavior: "instant" });
        log.dataset["scrolledTo"] = String(log.scrollTop);
      }).observe(document, { childList: true, subtree: true });
    },
    [action, frames] as const,
  );

for (const place of ["its end", "a message"] as const)
  test(`a turn of the wheel is not undone while a chat opens at ${place}`, async ({ organization, pair: { ana, ben, project }, open }) => {
    const ids = importMessages(organization.service, project.id, longHistory(600, [ana.id, ben.id], Date.now()), [ana.id]);
    const page = await open(ana, "/icon.svg");
    await actWithFirstRows(page, "scroll up", 4);
    await page.goto(`${ana.url}/projects/${project.id}/chat${place === "its end" ? "" : `/${ids[400]}`}`);
    await expect(timeline(page)).toHaveAttribute("data-scrolled-to", /^\d/);
    await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
    await waitForScrollEnd(page);
    await expect(timeline(page).getByRole("article").first()).toBeVisible();
    // The message or the end, to which the chat was opened, is not in view any more.
    await expect(message(page, place === "its end" ? /#600 / : /#401 /)).not.toBeInViewport();
  });

test("Home leads to the top while a chat is opening; older messages that fail to load show an error and load with Try again", async ({
  organization,
  pair: { ana, ben, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(statusError(503));
  importMessages(organization.service, project.id, longHistory(300, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, "/icon.svg");
  let isFailing = true;
  await page.route("**/v1/account/projects/chat_history", (route) =>
    isFailing && route.request().postDataJSON().before_id
      ? route.fulfill({ status: 503, contentType: "application/problem+json", json: { object: "error", status: 503, title: "Busy" } })
      : route.fallback(),
  );
  await actWithFirstRows(page, "press Home", 0);
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(page.getByText("Couldn't load older messages.")).toBeVisible();
  isFailing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Couldn't load older messages.")).toHaveCount(0);
  await expect(async () => {
    await timeline(page).press("Home");
    await expect(message(page, /#1 /)).toBeInViewport({ timeout: 500 });
  }).toPass();
});
