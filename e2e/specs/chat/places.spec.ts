import { sendMessage } from "../../../contract/operations/chat.ts";
import { deleteMessage, editMessage, markUnread, restoreMessage } from "../../../contract/operations/messages.ts";
import { call, markRead, write, type Person } from "../../fixtures/api.ts";
import { card, choose, file, tray } from "../../fixtures/choosing.ts";
import { importMessages, longHistory } from "../../fixtures/import.ts";
import { actions, composer, dialog, menuItem, message, openMenu, railProject, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const DAY = 86_400_000;
const answer = async (person: Person, projectId: number, parent: number, body: string) =>
  (await call(person, sendMessage, { body: { project_id: projectId, body, parent_message_id: parent } })).data;

test("a reply leads to its parent far away and back to where one read", async ({ house, pair: { ana, ben, project }, open }) => {
  const ids = importMessages(house.service, project.id, longHistory(900, [ana.id, ben.id], Date.now()), [ana.id]);
  await answer(ben, project.id, ids[99] ?? 0, "about that one");
  for (let index = 0; index < 6; index += 1) await write(ben, project.id, `later ${index}`);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const reply = message(page, "about that one");
  await reply.getByRole("button", { name: /^Go to what this answers/ }).click();
  await expect(message(page, /#100 /)).toBeInViewport();
  await expect(page).toHaveURL(new RegExp(`/chat/${ids[99]}$`));
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(reply).toBeInViewport();
  await expect(page).toHaveURL(/\/chat$/);
  await expect(page.getByRole("button", { name: "Back" })).toHaveCount(0);
  // So does the browser's own way, from wherever one went by a link.
  await page.goto(`${ana.url}/projects/${project.id}/chat/${ids[399]}`);
  await expect(message(page, /#400 /)).toBeInViewport();
  await timeline(page).hover();
  await page.mouse.wheel(0, 2_000);
  await expect(message(page, /#400 /)).not.toBeInViewport();
  const middle = await page
    .locator("[data-message][role=article]")
    .evaluateAll((rows) => rows.find((row) => row.getBoundingClientRect().bottom > innerHeight / 2)?.getAttribute("data-message") ?? "");
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(reply).toBeInViewport();
  await page.goBack();
  await expect(page.locator(`[data-message="${middle}"]`)).toBeInViewport();
});

test("a quote tells its parent as it stands now, loaded or not, and says when it is gone", async ({ house, pair: { ana, ben, project }, open }) => {
  const ids = importMessages(house.service, project.id, longHistory(300, [ana.id, ben.id], Date.now()), [ana.id]);
  const near = await write(ana, project.id, "near and wrong");
  await answer(ben, project.id, near.id, "to the near one");
  await answer(ben, project.id, ids[0] ?? 0, "to the far one");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const params = (id: number) => ({ project_id: project.id, message_id: id });
  await expect(message(page, "to the near one")).toContainText("near and wrong");
  await call(ana, editMessage, { params: params(near.id), body: { body: "near and right" } });
  await call(ana, editMessage, { params: params(ids[0] ?? 0), body: { body: "far and right" } });
  await expect(message(page, "to the near one")).toContainText("near and right");
  await expect(message(page, "to the far one")).toContainText("far and right");
  await call(ana, deleteMessage, { params: params(ids[0] ?? 0) });
  await expect(message(page, "to the far one")).toContainText("Deleted message");
  await expect(message(page, "to the far one").getByRole("button", { name: /^Go to what/ })).toHaveCount(0);
});

test("a day leads to its first message; a day after all says so", async ({ house, pair: { ana, ben, project }, open, guard }) => {
  guard.allow(/status of 404/);
  const now = Date.now();
  const old = Array.from({ length: 300 }, (_, index) => ({ accountId: ben.id, body: `old ${index}.`, at: now - 40 * DAY + index * 1_000 }));
  const news = Array.from({ length: 300 }, (_, index) => ({ accountId: ben.id, body: `news ${index}.`, at: now - 2 * DAY + index * 1_000 }));
  importMessages(house.service, project.id, [...old, ...news], [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "news 299.")).toBeInViewport();
  await page.getByRole("button", { name: "Jump to a date", exact: true }).click();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const field = dialog(page, "Jump to a date").getByLabel("Date");
  await field.fill(day(now - 60 * DAY));
  await dialog(page, "Jump to a date").getByRole("button", { name: "Jump" }).click();
  await expect(message(page, "old 0.")).toBeInViewport();
  // And from a day's header.
  await timeline(page)
    .getByRole("button", { name: /jump to a date$/ })
    .first()
    .click();
  await field.fill(day(now));
  await dialog(page, "Jump to a date").getByRole("button", { name: "Jump" }).click();
  await expect(dialog(page, "Jump to a date").getByText("Nothing was written on that day or later.")).toBeVisible();
});

test("unread from here puts the line there and stays until one goes to the end again", async ({ pair: { ana, ben, project }, open }) => {
  for (let index = 0; index < 60; index += 1) {
    const { id } = await write(index % 2 === 0 ? ben : ana, project.id, `take ${index}.`);
    if (index === 59) await markRead(ana, project.id, id);
  }
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "take 59.")).toBeInViewport();
  await expect(railProject(page, project.name)).toHaveAccessibleName(project.name);
  await openMenu(page, "take 55.");
  await menuItem(page, "Mark unread from here").click();
  await expect(railProject(page, `${project.name} 2 unread messages`)).toBeVisible();
  const line = timeline(page).getByRole("listitem").filter({ hasText: "New messages" });
  const [above, at] = await Promise.all([message(page, "take 55.").boundingBox(), line.boundingBox()]);
  expect(at!.y).toBeLessThan(above!.y);
  // What comes meanwhile is unread too.
  await write(ben, project.id, "one more");
  await expect(railProject(page, `${project.name} 3 unread messages`)).toBeVisible();
  await expect(page).toHaveTitle(/^\(3\) /);
  await timeline(page).hover();
  await page.mouse.wheel(0, -1_500);
  await page.getByRole("button", { name: /new messages$/ }).click();
  await expect(railProject(page, project.name)).toHaveAccessibleName(project.name);
});

test("what goes, comes back or is marked above the reader moves nothing", async ({ house, pair: { ana, ben, project }, open }) => {
  const ids = importMessages(house.service, project.id, longHistory(300, [ana.id, ben.id], Date.now()), [ana.id]);
  const place = (number: number) => ({ params: { project_id: project.id, message_id: ids[number - 1] ?? 0 } });
  await call(house.owner, deleteMessage, place(139));
  await call(ana, markUnread, { params: { project_id: project.id }, body: { message_id: ids[141] ?? 0 } });
  const page = await open(ana, `/projects/${project.id}/chat/${ids[149]}`);
  const mark = message(page, /#150 /);
  await expect(mark).toBeInViewport();
  await expect(page.locator("[role=log] .bg-accent-soft\\/60")).toHaveCount(0);
  const before = (await mark.boundingBox())!.y;
  const stands = () => expect(async () => expect(Math.abs((await mark.boundingBox())!.y - before)).toBeLessThanOrEqual(1)).toPass();
  // Rows just above the view, far above it, and far below.
  await expect(message(page, /#140 /)).not.toBeInViewport();
  for (const number of [140, 121, 61, 201]) await call(house.owner, deleteMessage, place(number));
  await expect(message(page, /#140 /)).toHaveCount(0);
  await stands();
  // One that was gone before.
  await call(house.owner, restoreMessage, place(139));
  await expect(message(page, /#139 /)).toHaveCount(1);
  await stands();
  // The unread line goes from above the view into it.
  await openMenu(page, /#151 /);
  await menuItem(page, "Mark unread from here").click();
  const line = timeline(page).getByRole("listitem").filter({ hasText: "New messages" });
  await expect(async () => expect((await line.boundingBox())!.y).toBeGreaterThan(before)).toPass();
  await stands();
  await timeline(page).hover();
  await page.mouse.wheel(0, -400);
  await expect(message(page, /#121 /)).toHaveCount(0);
});

test("at the end, what opens below does not hide the end", async ({ house, pair: { ana, ben, project }, open }) => {
  importMessages(house.service, project.id, longHistory(120, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await expect(message(page, /#120 /)).toBeInViewport();
  await composer(page).fill("a\nb\nc\nd\ne\nf\ng");
  await expect(message(page, /#120 /)).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 500 });
  await expect(message(page, /#120 /)).toBeInViewport({ ratio: 1 });
  // The bar at the bottom goes as the reply comes: the view grows and shrinks at once.
  await composer(page).fill("");
  await composer(page).blur();
  await message(page, /#120 /).getByRole("article").focus();
  await page.keyboard.press("r");
  await composer(page).fill("a\nb\nc");
  await expect(message(page, /#120 /)).toBeInViewport({ ratio: 0.9 });
  await composer(page).press("Escape");
  await expect(page.getByRole("button", { name: "Jump to latest" })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(message(page, /#120 /)).toBeInViewport({ ratio: 1 });
  await composer(page).fill("");
  await choose(page, file("bounce.bin", 2_000), file("stems.bin", 2_000));
  await expect(card(page, "stems.bin")).toContainText("Uploaded");
  await expect(message(page, /#120 /)).toBeInViewport({ ratio: 1 });
  const [last, above] = await Promise.all([message(page, /#120 /).boundingBox(), tray(page).boundingBox()]);
  expect(last!.y + last!.height).toBeLessThanOrEqual(above!.y);
});

test("by keyboard alone: to the messages, between them, everything that can be done, and back to writing", async ({ pair: { ana, ben, project }, open }) => {
  await write(ben, project.id, "his first");
  await write(ana, project.id, "her own");
  await write(ben, project.id, "his last");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeFocused();
  const article = (text: string) => message(page, text).getByRole("article");
  for (let presses = 0; presses < 6 && !(await article("his last").evaluate((element) => element === document.activeElement)); presses += 1)
    await page.keyboard.press("Shift+Tab");
  await expect(article("his last")).toBeFocused();
  await expect(article("his last")).toHaveAccessibleName(new RegExp(`^${ben.name}, \\d\\d:\\d\\d$`));
  await expect(article("his last")).toHaveAccessibleDescription("his last");
  await page.keyboard.press("ArrowUp");
  await expect(article("her own")).toBeFocused();
  await page.keyboard.press("k");
  await expect(article("his first")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await expect(field).toBeFocused();
  await field.fill("her own, better");
  await page.keyboard.press("Enter");
  await expect(article("her own, better")).toBeFocused();
  await page.keyboard.press("+");
  await page.getByRole("searchbox", { name: "Search emoji" }).fill("party popper");
  await page.keyboard.press("Enter");
  await expect(message(page, "her own, better").getByRole("button", { name: /^🎉 1 reaction/ })).toBeVisible();
  await expect(article("her own, better")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu", { name: "Message" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(article("her own, better")).toBeFocused();
  await page.keyboard.press("Delete");
  await expect(message(page, "Message deleted")).toBeVisible();
  await expect(article("his last")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(composer(page)).toBeFocused();
});

test("on a phone a finger that rests opens everything", async ({ pair: { ana, ben, project }, open }) => {
  await write(ben, project.id, "hold me");
  const page = await open(ana, `/projects/${project.id}/chat`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const box = (await message(page, "hold me").boundingBox())!;
  const session = await page.context().newCDPSession(page);
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: box.x + 120, y: box.y + 20 }] });
  await expect(page.getByRole("menu", { name: "Message" })).toBeVisible();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(page.getByRole("menu", { name: "Message" })).toBeVisible();
  await page.getByRole("menuitemcheckbox", { name: "React with ❤️" }).tap();
  await expect(message(page, "hold me").getByRole("button", { name: /^❤️ 1 reaction/ })).toBeVisible();
  await expect(actions(message(page, "hold me"))).toBeHidden();
});
