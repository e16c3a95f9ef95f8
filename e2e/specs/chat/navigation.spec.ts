/** Navigation within a chat: by URL, quote, date and unread line. */
import { sendMessage } from "../../../contract/operations/chat.ts";
import { deleteMessage, editMessage, markUnread, restoreMessage } from "../../../contract/operations/messages.ts";
import { call, createMessage, type Person } from "../../fixtures/api.ts";
import { dateFromToday } from "../../fixtures/dates.ts";
import { sendFiles } from "../../fixtures/files.ts";
import { importMessages, longHistory } from "../../fixtures/message-history.ts";
import { expect, test } from "../../fixtures/network.ts";
import { dialog, menuItem, message, countMissedFrames, openMenu, railProject, waitForScrollEnd, timeline } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";

const DAY = 86_400_000;
const sendReply = async (person: Person, projectId: number, parent: number, body: string) =>
  (await call(person, sendMessage, { body: { project_id: projectId, body, parent_message_id: parent } })).data;

test("a message link opens the chat at its message, a date at its first message, and an unknown id nearby or at the end", async ({
  organization,
  pair: { ana, ben, project },
  open,
  pageErrors,
  network,
}) => {
  pageErrors.allow(/status of 404/);
  const ids = importMessages(organization.service, project.id, longHistory(900, [ana.id, ben.id], Date.now() - 2 * DAY), [ana.id]);
  const path = `/projects/${project.id}/chat`;
  const page = await open(ana, `${path}/${ids[299]}`);

  await test.step("a message link opens the chat at its message, and Jump to latest leads to the end", async () => {
    await expect(message(page, /#300 /)).toBeInViewport();
    await expect(page).toHaveURL(new RegExp(`/chat/${ids[299]}$`));
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await expect(message(page, /#900 /)).toBeInViewport();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await page.goBack();
    await expect(message(page, /#300 /)).toBeInViewport();
  });

  await test.step("a date leads to its first message, and a date after the last message shows a notice", async () => {
    const jumpToDate = page.getByRole("button", { name: "Jump to a date", exact: true });
    const dateDialog = dialog(page, "Jump to a date");
    // A response that arrives after its dialog was closed neither closes the next dialog nor jumps.
    const firstMessage = /\/messages\/first\?/;
    const paused = await network.pause(page, firstMessage);
    await jumpToDate.click();
    await dateDialog.getByLabel("Date").fill(dateFromToday(-60));
    await dateDialog.getByRole("button", { name: "Jump" }).click();
    await expect.poll(() => paused.urls.length).toBe(1);
    await page.keyboard.press("Escape");
    await expect(dateDialog).toHaveCount(0);
    const url = page.url();
    await jumpToDate.click();
    await expect(dateDialog).toBeVisible();
    const response = page.waitForResponse(firstMessage);
    await paused.end();
    await (await response).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await expect(dateDialog).toBeVisible();
    await expect(page).toHaveURL(url);
    await dateDialog.getByLabel("Date").fill(dateFromToday(-60));
    await dateDialog.getByRole("button", { name: "Jump" }).click();
    await expect(message(page, /#1 /)).toBeInViewport();
    await expect(dateDialog).toHaveCount(0);
    // Opens the date picker from a day header.
    await timeline(page)
      .getByRole("button", { name: /jump to a date$/ })
      .first()
      .click();
    await dateDialog.getByLabel("Date").fill(dateFromToday(0));
    await dateDialog.getByRole("button", { name: "Jump" }).click();
    await expect(dateDialog.getByText("No messages on or after this date.")).toBeVisible();
  });

  await test.step("a missing message id opens the chat at the nearest message, and an invalid id opens it at the end", async () => {
    await page.goto(`${ana.url}${path}/${(ids.at(-1) ?? 0) + 1_000_000}`);
    await expect(message(page, /#900 /)).toBeInViewport();
    await page.goto(`${ana.url}${path}/latest`);
    await expect(message(page, /#900 /)).toBeInViewport();
    await expect(timeline(page)).toBeVisible();
  });
});

test("a reply leads to its distant parent and back to the reading position, and its quote shows the parent's current text", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const ids = importMessages(organization.service, project.id, longHistory(900, [ana.id, ben.id], Date.now()), [ana.id]);
  const nearMessage = await createMessage(ana, project.id, "near and wrong");
  await sendReply(ben, project.id, nearMessage.id, "to the near one");
  await sendReply(ben, project.id, ids[600] ?? 0, "to one that is not loaded");
  await sendReply(ben, project.id, ids[99] ?? 0, "about that one");
  for (let index = 0; index < 6; index += 1) await createMessage(ben, project.id, `later ${index}`);
  const page = await open(ana, `/projects/${project.id}/chat`);
  // A quote shows the quoted message's number, so messages are located by id.
  const article = (number: number) => page.locator(`[role=article][data-message="${ids[number - 1]}"]`);
  const reply = message(page, "about that one");

  await test.step("a reply leads to its distant parent, and Back returns to the reading position", async () => {
    await reply.getByRole("button", { name: /^Go to original message/ }).click();
    await expect(article(100)).toBeInViewport();
    await expect(page).toHaveURL(new RegExp(`/chat/${ids[99]}$`));
    await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
    await page.getByRole("button", { name: "Back" }).click();
    await expect(reply).toBeInViewport();
    await expect(page).toHaveURL(/\/chat$/);
    await expect(page.getByRole("button", { name: "Back" })).toHaveCount(0);
  });

  await test.step("the browser's Back returns to the reading position after any link", async () => {
    await page.goto(`${ana.url}/projects/${project.id}/chat/${ids[399]}`);
    await expect(article(400)).toBeInViewport();
    await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
    await timeline(page).hover();
    await page.mouse.wheel(0, 2_000);
    await expect(article(400)).not.toBeInViewport();
    await waitForScrollEnd(page);
    const middle = await page
      .locator("[data-message][role=article]")
      .evaluateAll((rows) => rows.find((row) => row.getBoundingClientRect().bottom > innerHeight / 2)?.getAttribute("data-message") ?? "");
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await expect(reply).toBeInViewport();
    await page.goBack();
    await expect(page.locator(`[data-message="${middle}"]`)).toBeInViewport();
  });

  await test.step("a quote shows its parent's current text, loaded or not, and shows when the parent is deleted", async () => {
    await page.getByRole("button", { name: "Jump to latest" }).click();
    const params = (id: number) => ({ project_id: project.id, message_id: id });
    const farReply = message(page, "to one that is not loaded");
    await expect(message(page, "to the near one")).toContainText("near and wrong");
    await call(ana, editMessage, { params: params(nearMessage.id), body: { body: "near and right" } });
    await call(ana, editMessage, { params: params(ids[600] ?? 0), body: { body: "far and right" } });
    await expect(message(page, "to the near one")).toContainText("near and right");
    await expect(farReply).toContainText("far and right");
    await call(ana, deleteMessage, { params: params(ids[600] ?? 0) });
    await expect(farReply).toContainText("Deleted message");
    await expect(farReply.getByRole("button", { name: /^Go to original/ })).toHaveCount(0);
  });
});

test("deleting, restoring and marking messages above the reader moves nothing; Mark unread from here lasts until the reader returns to the end", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const ids = importMessages(organization.service, project.id, longHistory(300, [ana.id, ben.id], Date.now()), [ana.id]);
  const messageParams = (number: number) => ({ params: { project_id: project.id, message_id: ids[number - 1] ?? 0 } });
  await call(organization.owner, deleteMessage, messageParams(139));
  await call(ana, markUnread, { params: { project_id: project.id }, body: { message_id: ids[141] ?? 0 } });
  const page = await open(ana, `/projects/${project.id}/chat/${ids[149]}`);
  const unreadLine = timeline(page).getByRole("listitem").filter({ hasText: "New messages" });

  await test.step("deleting, restoring and marking messages above the reader moves nothing", async () => {
    const anchorRow = message(page, /#150 /);
    await expect(anchorRow).toBeInViewport();
    await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
    await expect(page.locator("[role=log] .bg-accent-soft\\/60")).toHaveCount(0);
    await waitForScrollEnd(page);
    const before = (await anchorRow.boundingBox())!.y;
    const expectAnchorInPlace = () => expect.poll(async () => Math.abs(((await anchorRow.boundingBox())?.y ?? Number.NaN) - before)).toBeLessThanOrEqual(1);
    // Deletes rows just above the view, far above it and far below it.
    await expect(message(page, /#140 /)).not.toBeInViewport();
    for (const number of [140, 121, 61, 201]) await call(organization.owner, deleteMessage, messageParams(number));
    await expect(message(page, /#140 /)).toHaveCount(0);
    await expectAnchorInPlace();
    // Restores a row that was deleted before.
    await call(organization.owner, restoreMessage, messageParams(139));
    await expect(message(page, /#139 /)).toHaveCount(1);
    await expectAnchorInPlace();
    // The unread line moves from above the view into it.
    await openMenu(page, /#151 /);
    await menuItem(page, "Mark unread from here").click();
    await expect.poll(async () => (await unreadLine.boundingBox())?.y).toBeGreaterThan(before);
    await expectAnchorInPlace();
    await timeline(page).hover();
    await page.mouse.wheel(0, -400);
    await expect(message(page, /#121 /)).toHaveCount(0);
    await waitForScrollEnd(page);
  });

  await test.step("Mark unread from here shows the line, and lasts until the reader returns to the end", async () => {
    await page.getByRole("button", { name: /new messages$/ }).click();
    await expect(message(page, /#300 /)).toBeInViewport();
    await expect(railProject(page, project.name)).toHaveAccessibleName(project.name);
    await openMenu(page, /#299 /);
    await menuItem(page, "Mark unread from here").click();
    await expect(railProject(page, `${project.name} 2 unread messages`)).toBeVisible();
    await expect
      .poll(async () => ((await unreadLine.boundingBox())?.y ?? Number.NaN) - ((await message(page, /#299 /).boundingBox())?.y ?? Number.NaN))
      .toBeLessThan(0);
    // Messages that arrive meanwhile are unread too.
    await createMessage(ben, project.id, "one more");
    await expect(railProject(page, `${project.name} 3 unread messages`)).toBeVisible();
    await expect(page).toHaveTitle(/^\(3\) /);
    await timeline(page).hover();
    await page.mouse.wheel(0, -1_500);
    await expect(page.getByRole("button", { name: /new messages$/ })).toBeVisible();
    await waitForScrollEnd(page);
    await page.getByRole("button", { name: /new messages$/ }).click();
    await expect(railProject(page, project.name)).toHaveAccessibleName(project.name);
  });
});

test("links in the chat can be clicked while the list corrects its scroll position", async ({ organization, pair: { ana, ben, project }, open }) => {
  importMessages(organization.service, project.id, longHistory(60, [ana.id, ben.id], Date.now()), [ana.id, ben.id]);
  const file = await createProcessedFile(organization, ana, project, "notes.txt");
  await sendFiles(ana, project, [file]);
  // These messages keep the link in view while the chat scrolls.
  importMessages(organization.service, project.id, longHistory(4, [ana.id, ben.id], Date.now()), [ana.id, ben.id]);
  const page = await open(ben, `/projects/${project.id}/chat`);
  const link = timeline(page).getByRole("link", { name: "notes.txt", exact: true });
  await expect(link).toBeInViewport();
  // The skeleton covers the list while the chat opens.
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  expect(await countMissedFrames(link, "[role=log]")).toBe(0);
  // During a wheel scroll, rows that pass below the pointer ignore it; afterward they can be pressed again.
  const pointerEvents = () => timeline(page).evaluate((log) => getComputedStyle(log.querySelector(":scope > ul")!).pointerEvents);
  await link.hover();
  await expect(async () => {
    await page.mouse.wheel(0, -20);
    expect(await pointerEvents()).toBe("none");
  }).toPass();
  await link.click();
  await expect(page).toHaveURL(`${ana.url}/files/${file}`);
});
