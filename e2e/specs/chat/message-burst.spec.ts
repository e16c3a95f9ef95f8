import type { Page } from "@playwright/test";
import { timeoutFactor } from "../../../playwright.config.ts";
import { createMessage } from "../../fixtures/api.ts";
import { insertMessageBurst, importMessages, longHistory } from "../../fixtures/message-history.ts";
import { message, railProject, timeline, waitForScrollEnd } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Far more messages than a timeline keeps, within a few seconds. */
const FLOOD_COUNT = 10_000;

test("10,000 new messages do not move the view of somebody reading above, stay bounded in memory and are counted correctly", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  test.slow();
  importMessages(organization.service, project.id, longHistory(1_500, [ana.id, ben.id], Date.now()), [ana.id, ben.id]);
  const [page, benPage] = (await Promise.all([ana, ben].map((person) => open(person, `/projects/${project.id}/chat`)))) as [Page, Page];
  await expect(message(benPage, /#1500 /)).toBeInViewport();
  await expect(message(page, /#1500 /)).toBeInViewport();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await timeline(page).hover();
  await page.mouse.wheel(0, -3_000);
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  await waitForScrollEnd(page);
  // Measures every painted frame until the burst ends, in a ResizeObserver: it runs after the older one in which the list applies its own measurements.
  await timeline(page).evaluate(async (log) => {
    const view = log.getBoundingClientRect();
    const anchor = [...log.querySelectorAll("[data-message]")].find((element) => element.getBoundingClientRect().top > view.top + 100)!;
    // Relative to the timeline, which the banner of a lost connection moves.
    const anchorTop = () => anchor.getBoundingClientRect().top - log.getBoundingClientRect().top;
    const before = anchorTop();
    const seen = { worst: 0, rows: 0, height: 0, over: false };
    Object.assign(window, { seen });
    const probe = document.body.appendChild(document.createElement("div"));
    Object.assign(probe.style, { position: "fixed", height: "1px" });
    new ResizeObserver(() => {
      const offset = anchor.isConnected ? Math.abs(anchorTop() - before) : Number.POSITIVE_INFINITY;
      seen.worst = Math.max(seen.worst, offset);
      seen.rows = Math.max(seen.rows, log.querySelectorAll("li").length);
      seen.height = Math.max(seen.height, log.scrollHeight);
    }).observe(probe);
    const measureNextFrame = () => {
      probe.style.width = probe.style.width === "1px" ? "2px" : "1px";
      if (!seen.over) requestAnimationFrame(measureNextFrame);
    };
    measureNextFrame();
  });
  for (let count = 1; count <= 7; count += 1) await createMessage(ben, project.id, `first ${count}`);
  await expect(page.getByRole("button", { name: "7 new messages" })).toBeVisible();

  await insertMessageBurst(organization.service, project.id, FLOOD_COUNT, (index) => `flood ${index}.`);
  await expect(page.getByRole("button", { name: "99+ new messages" })).toBeVisible();
  await expect(railProject(page, `${project.name} More than 99 unread messages`)).toBeVisible();
  // A reader at the end has stayed there.
  await expect(message(benPage, `flood ${FLOOD_COUNT}.`)).toBeInViewport({ timeout: 60_000 * timeoutFactor });
  const seen = await page.evaluate(() => {
    const { seen: all } = window as unknown as { seen: Record<"worst" | "rows" | "height", number> & { over: boolean } };
    all.over = true;
    return all;
  });
  expect(seen.worst).toBeLessThanOrEqual(1);
  expect(seen.rows).toBeLessThan(120);
  await expect(benPage.getByRole("button", { name: /new message|Jump to latest/ })).toHaveCount(0);
  const rowHeight = await message(benPage, `flood ${FLOOD_COUNT - 1}.`).evaluate((row) => row.getBoundingClientRect().height);
  for (const height of [seen.height, await timeline(benPage).evaluate((log) => log.scrollHeight)]) expect(height).toBeLessThan(FLOOD_COUNT * rowHeight);
  // The end of the chat was trimmed from her loaded window, so it is reloaded.
  const reloadRequest = page.waitForRequest(
    (request) => request.url().endsWith("/chat_history") && !/"(before|after|around)_id"/.test(request.postData() ?? ""),
  );
  await page.getByRole("button", { name: "99+ new messages" }).click();
  await reloadRequest;
  await expect(message(page, `flood ${FLOOD_COUNT}.`)).toBeInViewport();
  await expect(railProject(page, project.name)).toHaveAccessibleName(project.name);
});
