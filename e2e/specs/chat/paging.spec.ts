import type { Page } from "@playwright/test";
import { createMessage } from "../../fixtures/api.ts";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { waitUntilProcessed, sendFiles, upload } from "../../fixtures/files.ts";
import { png } from "../../fixtures/media.ts";
import { importMessages, longHistory, publishImport } from "../../fixtures/message-history.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message, timeline, waitForScrollEnd } from "../../fixtures/pages.ts";
import { walkToTop } from "../../fixtures/walk-to-top.ts";

const COUNT = 5_000;
const MESSAGES_PER_IMAGE = 60;
/** Delay of each image: several steps of the walk, so that the image's row has been rendered and usually passed by then. */
const IMAGE_DELAY_MS = 100;
/** A tall viewport, so that the whole walk takes seconds. */
const VIEWPORT = { width: 1280, height: 1_600 };
/** Pixels per step: faster than any wheel, but within the rows that the timeline renders beyond its edge. */
const STEP = 900;

const CHAT_HISTORY = "**/v1/account/projects/chat_history";

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

  const walk = await walkToTop(page, STEP);

  await expect(page.getByText(`This is the beginning of ${project.name}.`)).toBeInViewport();
  await expect(message(page, /#1 /)).toBeInViewport();
  expect(walk.seen).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
  expect(walk.lateImageCount).toBeGreaterThan(0);
  expect(walk.jumps, `in ${walk.steps} steps`).toEqual([]);

  // Returns to the end, which is outside the loaded window by now.
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(message(page, new RegExp(`#${COUNT} `))).toBeInViewport();
});

/**
 * Acts once on the timeline of the next page, as soon as the message with `messageText` is in view but not everything around it is measured. After
 * "scroll up", `data-top` holds the number of the first message shown in the view.
 */
const actWhenOpening = (page: Page, action: "press Home" | "scroll up", messageText: string) =>
  runBeforeClient(
    page,
    ([actionOfTest, text]) => {
      const nextTask = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const isInView = (log: HTMLElement, row: Element) => {
        const [view, { top, bottom }] = [log.getBoundingClientRect(), row.getBoundingClientRect()];
        return top < view.bottom && bottom > view.top;
      };
      const waitForRow = async () => {
        for (;;) {
          const log = document.querySelector<HTMLElement>("[role=log]");
          if (log && [...log.querySelectorAll("li")].some((row) => row.textContent?.includes(text) && isInView(log, row))) return log;
          await nextTask();
        }
      };
      void waitForRow().then(async (log) => {
        if (actionOfTest === "press Home") {
          log.focus();
          log.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
          return;
        }
        // A synthetic event does not scroll by itself.
        log.dispatchEvent(new WheelEvent("wheel", { deltaY: -800, bubbles: true }));
        log.scrollBy({ top: -800, behavior: "instant" });
        await nextTask();
        await nextTask();
        // Rows that are not measured yet are hidden and do not count as shown.
        const topRow = () =>
          [...log.querySelectorAll("li")].find((row) => row.style.visibility !== "hidden" && isInView(log, row) && row.textContent?.includes("#"));
        while (!topRow()) await nextTask();
        log.dataset["top"] = /#\d+/.exec(topRow()!.textContent ?? "")![0];
      });
    },
    [action, messageText] as const,
  );

for (const place of ["its end", "a message", "the unread line"] as const)
  test(`a turn of the wheel is not undone while a chat opens at ${place}`, async ({ organization, pair: { ana, ben, project }, open }) => {
    const history = longHistory(600, [ana.id, ben.id], Date.now());
    const ids = importMessages(organization.service, project.id, history.slice(0, 400), [ana.id]);
    ids.push(...importMessages(organization.service, project.id, history.slice(400), place === "the unread line" ? [] : [ana.id]));
    const page = await open(ana, "/icon.svg");
    await actWhenOpening(page, "scroll up", place === "its end" ? "#600 " : "#401 ");
    await page.goto(`${ana.url}/projects/${project.id}/chat${place === "a message" ? `/${ids[400]}` : ""}`);
    await expect(timeline(page)).toHaveAttribute("data-top", /^#\d+/);
    await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
    await waitForScrollEnd(page);
    const top = await timeline(page).getAttribute("data-top");
    await expect(message(page, new RegExp(`${top} `))).toBeInViewport();
    await expect(message(page, place === "its end" ? /#600 / : /#401 /)).not.toBeInViewport();
  });

test("a chat opened at an unread line near its end stays there when a message arrives", async ({ organization, pair: { ana, ben, project }, open }) => {
  importMessages(organization.service, project.id, longHistory(100, [ana.id, ben.id], Date.now() - 3_600_000), [ana.id]);
  for (let number = 1; number <= 10; number += 1) await createMessage(ben, project.id, `Note ${number}.${"\nanother line".repeat(5)}`);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(page.getByRole("button", { name: /new messages/ })).toBeVisible();
  await expect(message(page, "Note 1.")).toBeInViewport();
  await waitForScrollEnd(page);
  await createMessage(ben, project.id, "And one more");
  await expect(page.getByRole("button", { name: "11 new messages" })).toBeVisible();
  await waitForScrollEnd(page);
  await expect(message(page, "Note 1.")).toBeInViewport();
});

test("a chat opens at its end on an iPhone, where the list defers its corrections while it scrolls", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  importMessages(organization.service, project.id, longHistory(300, [ana.id, ben.id], Date.now()), [ana.id]);
  const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
  const page = await open(ana, `/projects/${project.id}/chat`, { userAgent, viewport: { width: 390, height: 844 } });
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await expect(message(page, /#300 /)).toBeInViewport();
  await waitForScrollEnd(page);
  await expect(message(page, /#300 /)).toBeInViewport();
});

for (const { title, importedCount } of [
  { title: "a chat that is loaded again while the reader is above keeps what the reader sees", importedCount: 30 },
  { title: "a chat that is loaded again after more than a page of new messages requests the page before its new start", importedCount: 130 },
])
  test(title, async ({ organization, pair: { ana, ben, project }, open, network }) => {
    const messages = longHistory(300 + importedCount, [ana.id, ben.id], Date.now());
    importMessages(organization.service, project.id, messages.slice(0, 300), [ana.id]);
    const page = await open(ana, "/icon.svg");
    const olderPageIds: number[] = [];
    page.on("request", (request) => {
      const beforeId = request.url().includes("chat_history") && request.postDataJSON().before_id;
      if (beforeId) olderPageIds.push(beforeId);
    });
    const olderPage = await network.pause(page, CHAT_HISTORY, { matches: (request) => request.postDataJSON().before_id !== undefined, times: 1 });
    await page.goto(`${ana.url}/projects/${project.id}/chat`);
    await expect(message(page, /#300 /)).toBeInViewport();
    await expect(async () => {
      await timeline(page).press("Home");
      expect(olderPageIds).not.toEqual([]);
      await expect(message(page, /#205 /)).toBeInViewport({ timeout: 500 });
    }).toPass();
    await waitForScrollEnd(page);

    const ids = importMessages(organization.service, project.id, messages.slice(300), [ana.id]);
    const reloaded = page.waitForResponse((response) => response.url().includes("chat_history"));
    publishImport(organization.service, project.id);
    await (await reloaded).finished();
    if (importedCount > 100) {
      // Nothing scrolls, so the timeline itself requests the page before the window that it shows now.
      await expect.poll(() => olderPageIds).toContain(ids.at(-100));
      await olderPage.end();
    } else {
      await olderPage.end();
      await expect(message(page, /#195 /)).toBeAttached();
      await waitForScrollEnd(page);
      await expect(message(page, /#205 /)).toBeInViewport();
      // A blocked request is repeated after its time limit, so only distinct ids count.
      expect(new Set(olderPageIds).size).toBe(1);
      await page.getByRole("button", { name: "Jump to latest" }).click();
      await expect(message(page, /#330 /)).toBeInViewport();
    }
    await expect(async () => {
      await timeline(page).press("Home");
      await expect(message(page, /#1 /)).toBeInViewport({ timeout: 500 });
    }).toPass();
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
  await page.route(CHAT_HISTORY, (route) =>
    isFailing && route.request().postDataJSON().before_id
      ? route.fulfill({ status: 503, contentType: "application/problem+json", json: { object: "error", status: 503, title: "Busy" } })
      : route.fallback(),
  );
  await actWhenOpening(page, "press Home", "#300 ");
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(page.getByText("Couldn't load older messages.")).toBeInViewport();
  isFailing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Couldn't load older messages.")).toHaveCount(0);
  await expect(async () => {
    await timeline(page).press("Home");
    await expect(message(page, /#1 /)).toBeInViewport({ timeout: 500 });
  }).toPass();
});

for (const [up, down] of [
  ["PageUp", "PageDown"],
  ["Shift+Space", "Space"],
] as const)
  test(`${up} and ${down} scroll a page each, also while rows are measured`, async ({ organization, pair: { ana, ben, project }, open }) => {
    importMessages(organization.service, project.id, longHistory(300, [ana.id, ben.id], Date.now()), [ana.id]);
    const page = await open(ana, `/projects/${project.id}/chat`);
    await expect(message(page, "#300 ")).toBeInViewport();
    await timeline(page).focus();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press(up);
    const pagesToEnd = () => timeline(page).evaluate((log) => (log.scrollHeight - log.scrollTop - log.clientHeight) / log.clientHeight);
    await expect.poll(pagesToEnd).toBeGreaterThan(2.3);
    await waitForScrollEnd(page);
    expect(await pagesToEnd()).toBeGreaterThan(2.3);
    const pagesBefore = await pagesToEnd();
    await page.keyboard.press(down);
    await waitForScrollEnd(page);
    expect(await pagesToEnd()).toBeLessThan(pagesBefore - 0.7);
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press(down);
    await expect(message(page, "#300 ")).toBeInViewport();
  });
