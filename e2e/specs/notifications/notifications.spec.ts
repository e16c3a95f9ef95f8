import type { Page } from "@playwright/test";
import { writeComment } from "../../../contract/operations/comments.ts";
import { getReadMarker, sendMessage } from "../../../contract/operations/chat.ts";
import { setFileStatus } from "../../../contract/operations/files.ts";
import { editMessage } from "../../../contract/operations/messages.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import { call, createMessage, firstTeamId } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { rail, message } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { writeTask } from "../../fixtures/tasks.ts";
import { expect, test } from "../../fixtures/network.ts";

const bell = (page: Page) => rail(page).getByRole("link", { name: /^Inbox/ });
const row = (page: Page, text: string | RegExp) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });

test("a mention arrives live, is counted in the rail, and opening it marks it as read in every tab", async ({ pair: { ana, ben, project }, open }) => {
  // Not the chat, in which the message would be seen at once.
  const page = await open(ben, "/settings/profile");
  const otherTab = await open(ben, "/notifications");
  await expect(otherTab.getByText("You're all caught up")).toBeVisible();
  await expectAccessible(otherTab);

  await test.step("it is counted and listed without a reload", async () => {
    await createMessage(ana, project.id, `Listen to the bridge, <@${ben.id}>`);
    await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");
    await expect(row(otherTab, `${ana.name} mentioned you in ${project.name}`)).toContainText(`Listen to the bridge, @${ben.name}`);
    await expect(otherTab.getByRole("region", { name: "New" }).getByRole("listitem")).toHaveCount(1);
    await expectAccessible(otherTab);
  });

  await test.step("two actions from the shell lead to the message", async () => {
    await bell(page).click();
    await expect(page.getByRole("heading", { name: "Inbox" })).toBeFocused();
    await row(page, "mentioned you").getByRole("link").click();
    await expect(message(page, "Listen to the bridge")).toBeVisible();
    await expect(bell(page)).toHaveAccessibleName("Inbox");
    await expect(bell(otherTab)).toHaveAccessibleName("Inbox");
    await expect(row(otherTab, "mentioned you").getByRole("button", { name: "Mark as unread" })).toBeAttached();
  });
});

test("a mention that an edit adds to a message already read is read while its reader looks at the chat", async ({ pair: { ana, ben, project }, open }) => {
  const { id } = await createMessage(ana, project.id, "Listen to the bridge");
  const otherTab = await open(ben, "/settings/profile");
  const page = await open(ben, `/projects/${project.id}/chat`);
  await expect(message(page, "Listen to the bridge")).toBeVisible();
  await expect.poll(async () => (await call(ben, getReadMarker, { params: { project_id: project.id } })).data.last_read_message_id).toBe(id);
  await page.close();
  const body = `Listen to the bridge, <@${ben.id}>`;
  await call(ana, editMessage, { params: { project_id: project.id, message_id: id }, body: { body } });
  await expect(bell(otherTab)).toHaveAccessibleName("Inbox 1 unread");
  const again = await open(ben, `/projects/${project.id}/chat`);
  await expect(message(again, `Listen to the bridge, @${ben.name}`)).toBeVisible();
  await expect(bell(otherTab)).toHaveAccessibleName("Inbox");
});

test("what is seen in its own place counts as read: messages in the chat, tasks, status and comments of a watched file on its page", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ben, project, "nightdrive_mix.wav");
  const page = await open(ben, `/files/${id}`);

  await test.step("a file is watched and no longer, also in another tab", async () => {
    const otherTab = await open(ben, `/files/${id}`);
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await otherTab.getByRole("button", { name: "Watching", exact: true }).click();
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await expect(page.getByRole("button", { name: "Watching", exact: true })).toBeVisible();
    await otherTab.close();
    await bell(page).click();
  });

  await test.step("a reply is read in the chat", async () => {
    const question = await createMessage(ben, project.id, "Which take?");
    await call(ana, sendMessage, { body: { project_id: project.id, body: "The second one", parent_message_id: question.id } });
    await expect(row(page, `${ana.name} replied to you`)).toContainText("The second one");
    await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");
    await rail(page).getByRole("link", { name: project.name }).click();
    await expect(message(page, "The second one")).toBeVisible();
    await expect(bell(page)).toHaveAccessibleName("Inbox");
  });

  await test.step("comments, tasks and the status of the file", async () => {
    await bell(page).click();
    await call(ana, writeComment, { params: { file_id: id }, body: { body: "Louder please", version: 1 } });
    await writeTask(ana, id, "Bounce the stems", { assignee: ben });
    const [, inReview] = (await call(ana, listFileStatuses, { body: { team_id: await firstTeamId(ana) } })).data;
    await call(ana, setFileStatus, { body: { file_id: id, status_id: inReview!.id } });
    await expect(row(page, `${ana.name} set nightdrive_mix.wav to ${inReview!.title}`)).toBeVisible();
    await expect(row(page, `${ana.name} assigned you a task: Bounce the stems`)).toBeVisible();
    await expect(row(page, `${ana.name} commented on nightdrive_mix.wav`)).toContainText("Louder please");
    await expect(bell(page)).toHaveAccessibleName("Inbox 3 unread");
    await expectAccessible(page);
    await row(page, "commented on").getByRole("link").click();
    await expect(page.getByRole("heading", { name: "nightdrive_mix.wav" })).toBeVisible();
    await expect(bell(page)).toHaveAccessibleName("Inbox");
  });
});

test("the list is used by keyboard: arrows, read and unread, all read, and only unread ones", async ({ pair: { ana, ben, project }, open }) => {
  for (const body of ["First", "Second", "Third"]) await createMessage(ana, project.id, `${body} <@${ben.id}>`);
  const page = await open(ben, "/notifications");
  const third = row(page, "Third").getByRole("link");
  await third.focus();
  await page.keyboard.press("ArrowDown");
  await expect(row(page, "Second").getByRole("link")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(third).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(row(page, "Third").getByRole("button", { name: "Mark as read" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(bell(page)).toHaveAccessibleName("Inbox 2 unread");
  // The arrow keys of a menu button open its menu only.
  const menuButton = row(page, "Third").getByRole("button", { name: "More actions for this notification" });
  await menuButton.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menuButton).toBeFocused();

  await createMessage(ana, project.id, `Fourth <@${ben.id}>`);
  await page.getByRole("button", { name: "Unread", exact: true }).click();
  await expect(row(page, "Third")).toHaveCount(0);
  // What is marked as read leaves this list, and the focus goes to the next one.
  await row(page, "Fourth").getByRole("button", { name: "Mark as read" }).focus();
  await page.keyboard.press("Enter");
  await expect(row(page, "Fourth")).toHaveCount(0);
  await expect(row(page, "Second").getByRole("link")).toBeFocused();
  await expect(row(page, "Second")).toBeVisible();
  await page.reload();
  await expect(row(page, "Second")).toBeVisible();
  await expect(row(page, "Third")).toHaveCount(0);
  await page.getByRole("button", { name: "Mark all as read" }).press("Enter");
  await expect(page.getByText("Nothing unread")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeFocused();
  await page.getByRole("button", { name: "All", exact: true }).click();
  await row(page, "First").getByRole("button", { name: "Mark as unread" }).press("Enter");
  await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");
});

test("a notification that could not be marked as read stays unread, and a message says so", async ({
  pair: { ana, ben, project },
  open,
  network,
  pageErrors,
}) => {
  await createMessage(ana, project.id, `Listen <@${ben.id}>`);
  const page = await open(ben, "/notifications");
  await network.replyWithProblem(page, "**/api/v2/notifications/*", 503, "Try again later.", { method: "PATCH" });
  pageErrors.allow(statusError(503));
  await row(page, "Listen").getByRole("button", { name: "Mark as read" }).click();
  await expect(page.getByText("Couldn't save. Try again.")).toBeVisible();
  await expect(row(page, "Listen").getByRole("button", { name: "Mark as read" })).toBeAttached();
});

test("a phone has notifications in the bottom bar and nothing overflows", async ({ pair: { ana, ben, project }, open }) => {
  await createMessage(ana, project.id, `${"verylongword".repeat(30)} <@${ben.id}>`);
  const page = await open(ben, "/", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.getByRole("link", { name: /^1 unread Inbox/ }).click();
  await expect(row(page, `${ana.name} mentioned you`)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Notification settings" }).click();
  await expect(page.getByRole("heading", { name: "Quiet times" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});
