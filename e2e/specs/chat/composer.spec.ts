import { loadMessages, joinByInvite, createMessage } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { composer, expectSent, menuItem, message, openMenu, send } from "../../fixtures/pages.ts";
import { expect, test, uniqueName } from "../../fixtures/test.ts";

test("a message has mentions, emoji and formatting; a reply survives a reload with its draft", async ({
  organization: { owner },
  pair: { ana, ben, project },
  open,
}, info) => {
  const name = uniqueName("Zoë van Dyk", info.testId);
  const zoe = await joinByInvite(owner, name, "member", [project.id]);
  const { id } = await createMessage(ben, project.id, "Bass is **hot** at 1:23");
  await createMessage(ana, project.id, "**loud** *soft* `code <b>`\n> quoted\n- one\n- two\n```\nblock *x*\n```\nend");
  await createMessage(ana, project.id, "🎉🎧");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const stored = async () => (await loadMessages(ana, project.id)).at(-1);

  await test.step("formatting is rendered, HTML is not", async () => {
    const row = message(page, "loud");
    await expect(row.locator("strong")).toHaveText("loud");
    await expect(row.locator("em")).toHaveText("soft");
    await expect(row.locator("code")).toHaveText("code <b>");
    await expect(row.locator("blockquote")).toHaveText("quoted");
    await expect(row.locator("ul li")).toHaveText(["one", "two"]);
    await expect(row.locator("pre")).toHaveText("block *x*");
    await expect(row.locator("b")).toHaveCount(0);
  });

  await test.step("people and emoji are found by name, in an accessible list", async () => {
    await composer(page).pressSequentially("hi @zoe v");
    const list = page.getByRole("listbox", { name: "People" });
    await expect(list.getByRole("option", { name })).toHaveAttribute("aria-selected", "true");
    // Checks the list and the formatted messages together.
    await expectAccessible(page);
    await composer(page).press("Enter");
    await expect(composer(page)).toHaveValue(`hi @${name} `);
    await expect(list).toHaveCount(0);
    await composer(page).pressSequentially("and :rocket");
    await expect(page.getByRole("listbox", { name: "Emoji" })).toBeVisible();
    await composer(page).press("Tab");
    await expect(composer(page)).toHaveValue(`hi @${name} and 🚀`);
  });

  await test.step("the emoji button inserts at the caret, and the sent mention shows the person's current name", async () => {
    await composer(page).press("Home");
    await page.getByRole("button", { name: "Insert emoji" }).click();
    const search = page.getByRole("combobox", { name: "Search emoji" });
    await search.fill("no such thing");
    await page.keyboard.press("Enter");
    await search.fill("rocket");
    await page.keyboard.press("Enter");
    await expect(composer(page)).toHaveValue(`🚀hi @${name} and 🚀`);
    await expect(composer(page)).toBeFocused();
    await composer(page).press("Backspace");
    await composer(page).press("Enter");
    await expect(message(page, `hi @${name} and 🚀`)).toBeVisible();
    await expect.poll(stored).toMatchObject({ body: `hi <@${zoe.id}> and 🚀`, mentions: [zoe.id] });
  });

  await test.step("a reply shows its parent, survives a reload with its draft, and quotes its parent", async () => {
    const replyBar = page.getByRole("group", { name: `Replying to ${ben.name}` });
    await openMenu(page, "Bass is hot");
    await menuItem(page, "Reply").click();
    await expect(replyBar).toContainText("Bass is hot at 1:23");
    await expect(composer(page)).toBeFocused();
    await composer(page).fill("fixed it");
    await page.reload();
    await expect(replyBar).toBeVisible();
    await expect(composer(page)).toHaveValue("fixed it");
    await composer(page).press("Enter");
    await expect(replyBar).toHaveCount(0);
    await expect(message(page, "fixed it").getByRole("button", { name: /Go to original message/ })).toContainText("Bass is hot at 1:23");
    await expect.poll(stored).toMatchObject({ body: "fixed it", parent_message_id: id });
    await openMenu(page, /^(?!.*fixed it).*Bass is hot/s);
    await menuItem(page, "Reply").click();
    await expect(replyBar).toBeVisible();
    await composer(page).press("Escape");
    await expect(replyBar).toHaveCount(0);
    await send(page, "no reply");
    await expectSent(page, "no reply");
    expect(await stored()).toMatchObject({ parent_message_id: null });
  });
});
