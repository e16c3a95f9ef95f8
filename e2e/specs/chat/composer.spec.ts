import { history, join, write } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { composer, expectSent, menuItem, message, openMenu, send } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

test("a reply names what it answers, survives a reload with its draft, and quotes it", async ({ pair: { ana, ben, project }, open }) => {
  const { id } = await write(ben, project.id, "Bass is **hot** at 1:23");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const bar = page.getByRole("group", { name: `Replying to ${ben.name}` });
  await openMenu(page, "Bass is hot");
  await menuItem(page, "Reply").click();
  await expect(bar).toContainText("Bass is hot at 1:23");
  await expect(composer(page)).toBeFocused();
  await composer(page).fill("fixed it");
  await page.reload();
  await expect(bar).toBeVisible();
  await expect(composer(page)).toHaveValue("fixed it");
  await composer(page).press("Enter");
  await expect(bar).toHaveCount(0);
  await expect(message(page, "fixed it").getByRole("button", { name: /Go to what this answers/ })).toContainText("Bass is hot at 1:23");
  expect((await history(ana, project.id)).at(-1)).toMatchObject({ body: "fixed it", parent_message_id: id });

  await openMenu(page, /^(?!.*fixed it).*Bass is hot/s);
  await menuItem(page, "Reply").click();
  await composer(page).press("Escape");
  await expect(bar).toHaveCount(0);
  await send(page, "no reply");
  await expectSent(page, "no reply");
  expect((await history(ana, project.id)).at(-1)).toMatchObject({ parent_message_id: null });
});

test("people are mentioned by name; the name is the one they have now", async ({ house: { owner }, pair: { ana, project }, open }, info) => {
  const name = unique("Zoë van Dyk", info.testId);
  const zoe = await join(owner, name, "member", [project.id]);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await composer(page).pressSequentially("hi @zoe v");
  const list = page.getByRole("listbox", { name: "People" });
  await expect(list.getByRole("option", { name })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue(`hi @${name} `);
  await expect(list).toHaveCount(0);
  await composer(page).pressSequentially("and :rocket");
  await expect(page.getByRole("listbox", { name: "Emoji" })).toBeVisible();
  await composer(page).press("Tab");
  await expect(composer(page)).toHaveValue(`hi @${name} and 🚀`);
  // By the button it comes where the caret stood.
  await composer(page).press("Home");
  await page.getByRole("button", { name: "Insert an emoji" }).click();
  await page.getByRole("searchbox", { name: "Search emoji" }).fill("no such thing");
  await page.keyboard.press("Enter");
  await page.getByRole("searchbox", { name: "Search emoji" }).fill("rocket");
  await page.keyboard.press("Enter");
  await expect(composer(page)).toHaveValue(`🚀hi @${name} and 🚀`);
  await expect(composer(page)).toBeFocused();
  await composer(page).press("Backspace");
  await composer(page).press("Enter");
  await expect(message(page, `hi @${name} and 🚀`)).toBeVisible();
  await expect.poll(async () => (await history(ana, project.id)).at(-1)).toMatchObject({ body: `hi <@${zoe.id}> and 🚀`, mentions: [zoe.id] });
});

test("arrow up in an empty composer changes the last message of one's own", async ({ pair: { ana, ben, project }, open }) => {
  await write(ana, project.id, "older");
  await write(ana, project.id, "newest of mine");
  await write(ben, project.id, "somebody else's");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "somebody else's")).toBeVisible();
  await composer(page).focus();
  await composer(page).press("ArrowUp");
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await expect(field).toHaveValue("newest of mine");
  await field.press("Escape");
  await expect(composer(page)).toBeFocused();
});

test("light formatting is shown, never HTML", async ({ pair: { ana, project }, open }) => {
  await write(ana, project.id, "**loud** *soft* `code <b>`\n> quoted\n- one\n- two\n```\nblock *x*\n```\nend");
  await write(ana, project.id, "🎉🎧");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const row = message(page, "loud");
  await expect(row.locator("strong")).toHaveText("loud");
  await expect(row.locator("em")).toHaveText("soft");
  await expect(row.locator("code")).toHaveText("code <b>");
  await expect(row.locator("blockquote")).toHaveText("quoted");
  await expect(row.locator("ul li")).toHaveText(["one", "two"]);
  await expect(row.locator("pre")).toHaveText("block *x*");
  await expect(row.locator("b")).toHaveCount(0);
  await expectAccessible(page);
});

test("who writes is told to the other", async ({ pair: { ana, ben, project }, open }) => {
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  await expect(composer(his)).toBeVisible();
  await expect(async () => {
    await composer(hers).pressSequentially("a");
    await expect(his.getByText(`${ana.name} is writing…`)).toBeVisible({ timeout: 1_500 });
  }).toPass();
});
