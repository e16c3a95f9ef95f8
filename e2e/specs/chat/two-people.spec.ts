import { history, write } from "../../fixtures/api.ts";
import { importMessages, longHistory } from "../../fixtures/import.ts";
import { composer, expectSent, message, send, textsInOrder, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("two people write to each other and see it at once", async ({ pair: { ana, ben, project }, open }) => {
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  await expect(hers.getByText("No messages yet")).toBeVisible();
  await expect(his.getByText("No messages yet")).toBeVisible();

  await send(hers, "Bass is hot at 1:23");
  await expectSent(hers, "Bass is hot at 1:23");
  await expect(message(his, "Bass is hot at 1:23")).toContainText(ana.name);

  await send(his, "Fixed, listen again");
  await expectSent(his, "Fixed, listen again");
  await expect(message(hers, "Fixed, listen again")).toContainText(ben.name);
  expect((await history(ana, project.id)).map(({ body }) => body)).toEqual(["Bass is hot at 1:23", "Fixed, listen again"]);
});

test("messages typed in haste from both sides arrive once, in one order for everybody", async ({ pair: { ana, ben, project }, open }) => {
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  await expect(hers.getByText("No messages yet")).toBeVisible();
  await expect(his.getByText("No messages yet")).toBeVisible();
  const from = (who: string) => Array.from({ length: 6 }, (_, index) => `take ${who}${index + 1}`);
  const typeAll = async (page: typeof hers, texts: string[]) => {
    for (const text of texts) await send(page, text);
  };
  await Promise.all([typeAll(hers, from("A")), typeAll(his, from("B"))]);

  await expect.poll(async () => (await history(ana, project.id)).length).toBe(12);
  const stored = (await history(ana, project.id)).map(({ body }) => body);
  expect(stored.filter((body) => body.startsWith("take A"))).toEqual(from("A"));
  expect(stored.filter((body) => body.startsWith("take B"))).toEqual(from("B"));
  for (const page of [hers, his]) await expect.poll(() => textsInOrder(page, /take [AB]\d/)).toEqual(stored);
});

test("a message shows before the service has it, and becomes the sent one in place", async ({ pair: { ana, project }, open }) => {
  for (let index = 0; index < 30; index += 1) await write(ana, project.id, `line ${index}`);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "line 29")).toBeVisible();
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/v1/account/projects/chat_message", async (route) => {
    await held;
    await route.continue();
  });
  await send(page, "held back for a moment");
  await expect(message(page, "held back")).toBeVisible();
  await expect(composer(page)).toHaveValue("");
  // Every frame from before the answer until after it: where the row stands, and that it is one and the same element.
  const row = message(page, "held back");
  await row.evaluate((element) => {
    const tops: number[] = [];
    Object.assign(window, { tops, rowOfTest: element });
    const look = () => {
      tops.push(element.isConnected ? element.getBoundingClientRect().top : NaN);
      requestAnimationFrame(look);
    };
    look();
  });
  answer();
  await expect.poll(async () => (await history(ana, project.id)).at(-1)?.body).toBe("held back for a moment");
  await expect(row.locator("time")).toHaveCount(1);
  await page.waitForFunction(() => (window as unknown as { tops: number[] }).tops.length > 30);
  const tops = await page.evaluate(() => (window as unknown as { tops: number[] }).tops);
  expect(tops.every(Number.isFinite), "the row was replaced by another one").toBe(true);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1);
  await expect(row).toHaveCount(1);
});

test("the reader stays at the end while messages arrive, and is not pulled there while reading above", async ({ house, pair: { ana, ben, project }, open }) => {
  importMessages(house.service, project.id, longHistory(60, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, /^.*#60 /s)).toBeInViewport();
  await write(ben, project.id, "news at the end");
  await expect(message(page, "news at the end")).toBeInViewport();

  await timeline(page).hover();
  await page.mouse.wheel(0, -1_200);
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  const before = await timeline(page).evaluate((element) => element.scrollTop);
  await write(ben, project.id, "news while reading");
  await expect(page.getByRole("button", { name: "1 new message" })).toBeVisible();
  expect(await timeline(page).evaluate((element) => element.scrollTop)).toBe(before);
  await page.getByRole("button", { name: "1 new message" }).click();
  await expect(message(page, "news while reading")).toBeInViewport();
});
