import { loadMessages, createMessage } from "../../fixtures/api.ts";
import { importMessages, longHistory } from "../../fixtures/message-history.ts";
import { actions, composer, dialog, menuItem, message, openMenu, timeline, waitForScrollEnd } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("End, then an arrow key from a message far above, leads back to that message and stays there when a message arrives", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  importMessages(organization.service, project.id, longHistory(90, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  const article = (number: number) => message(page, new RegExp(`#${number} `)).getByRole("article");
  await article(89).focus();
  await timeline(page).press("Home");
  await expect(article(2)).toBeInViewport();
  await article(2).focus();
  await page.keyboard.press("End");
  await expect(message(page, /#90 /)).toBeInViewport();
  await page.keyboard.press("ArrowUp");
  await expect(article(1)).toBeFocused();
  await expect(article(1)).toBeInViewport();
  await createMessage(ben, project.id, "meanwhile");
  await expect(page.getByRole("button", { name: "1 new message" })).toBeVisible();
  await waitForScrollEnd(page);
  await expect(article(1)).toBeInViewport();
});

test("the keyboard reaches the messages, moves between them, runs every message action and returns to the composer", async ({
  pair: { ana, ben, project },
  open,
}) => {
  await createMessage(ben, project.id, "his first");
  await createMessage(ana, project.id, "her older");
  await createMessage(ana, project.id, "her own");
  await createMessage(ben, project.id, "his last");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "his last")).toBeVisible();
  await expect(composer(page)).toBeFocused();
  const article = (text: string) => message(page, text).getByRole("article");
  const field = page.getByRole("textbox", { name: "Edit message" });

  await test.step("keys reach the messages and move between them", async () => {
    const isFocused = () => article("his last").evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 6 && !(await isFocused()); presses += 1) await page.keyboard.press("Shift+Tab");
    await expect(article("his last")).toHaveAccessibleName(new RegExp(`^${ben.name}, \\d\\d:\\d\\d$`));
    await expect(article("his last")).toHaveAccessibleDescription("his last");
    await page.keyboard.press("ArrowUp");
    await expect(article("her own")).toBeFocused();
    await page.keyboard.press("k");
    await expect(article("her older")).toBeFocused();
    await page.keyboard.press("k");
    await expect(article("his first")).toBeFocused();
    for (const text of ["her older", "her own"]) {
      await page.keyboard.press("j");
      await expect(article(text)).toBeFocused();
    }
  });

  await test.step("the shortcut list contains the keys for messages", async () => {
    await page.keyboard.press("?");
    await expect(dialog(page, "Keyboard shortcuts").getByText("Mark unread from here")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog(page, "Keyboard shortcuts")).toHaveCount(0);
    await expect(article("her own")).toBeFocused();
  });

  await test.step("keys run every action on a message", async () => {
    await page.keyboard.press("e");
    await expect(field).toBeFocused();
    await field.fill("her own, better");
    await page.keyboard.press("Enter");
    await expect(article("her own, better")).toBeFocused();
    await page.keyboard.press("+");
    await page.getByRole("combobox", { name: "Search emoji" }).fill("party popper");
    await expect(page.getByRole("option", { name: "party popper" })).toBeVisible();
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

  await test.step("arrow up in an empty composer edits the user's last message, and Escape returns to the composer", async () => {
    await composer(page).press("ArrowUp");
    await expect(field).toHaveValue("her older");
    await field.press("Escape");
    await expect(composer(page)).toBeFocused();
  });
});

test("a reply by key quotes its parent for both people, and shows when the parent is edited or deleted meanwhile", async ({
  pair: { ana, ben, project },
  open,
}) => {
  await createMessage(ben, project.id, "Bass is hot");
  const [anaPage, benPage] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const article = message(anaPage, "Bass is hot").getByRole("article");
  await expect(article).toBeVisible();
  await timeline(anaPage).focus();
  await anaPage.keyboard.press("ArrowUp");
  await expect(article).toBeFocused();
  await anaPage.keyboard.press("r");
  await expect(composer(anaPage)).toBeFocused();
  await anaPage.keyboard.type("fixed, listen again");
  // The quoted message is edited and deleted while the reply is being written.
  const replyBar = anaPage.getByRole("group", { name: `Replying to ${ben.name}` });
  await expect(replyBar).toContainText("Bass is hot");
  await openMenu(benPage, "Bass is hot");
  await menuItem(benPage, "Edit").click();
  await benPage.getByRole("textbox", { name: "Edit message" }).fill("Bass is fine");
  await benPage.keyboard.press("Enter");
  await expect(replyBar).toContainText("Bass is fine");
  await openMenu(benPage, "Bass is fine");
  await menuItem(benPage, "Delete").click();
  await expect(message(anaPage, "Bass is fine")).toHaveCount(0);
  await expect(replyBar).toContainText("Deleted message");
  await expect(composer(anaPage)).toHaveValue("fixed, listen again");
  await anaPage.keyboard.press("Enter");
  for (const page of [anaPage, benPage]) await expect(message(page, "fixed, listen again")).toContainText("Deleted message");
  const [parent, reply] = await loadMessages(ana, project.id).then((all) => [all.at(-2), all.at(-1)]);
  expect(reply?.parent_message_id).not.toBeNull();
  expect(parent?.body ?? "").not.toMatch(/^Bass/);
});

test("the focus returns to the message however its menu closes", async ({ pair: { ana, ben, project }, open }) => {
  await createMessage(ben, project.id, "his first");
  await createMessage(ana, project.id, "her own");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const article = message(page, "his first").getByRole("article");
  const hasFocus = () => article.evaluate((element) => element.contains(document.activeElement));
  const openByButton = async () => {
    await article.hover();
    await actions(article).getByRole("button", { name: "More" }).click();
    await expect(page.getByRole("menu", { name: "Message" })).toBeVisible();
    // The toolbar stays while its menu is open, wherever the pointer is.
    await page.mouse.move(2, 2);
    await expect(actions(article)).toBeVisible();
  };

  await openByButton();
  await page.keyboard.press("Escape");
  await expect.poll(hasFocus).toBe(true);
  await test.step("also after the palette, while which the toolbar with the focused button disappeared", async () => {
    await article.hover();
    await actions(article).getByRole("button", { name: "More" }).focus();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    await page.mouse.move(2, 2);
    await expect(actions(article)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect.poll(hasFocus).toBe(true);
  });
  await openByButton();
  await page.mouse.click(2, 2);
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect.poll(hasFocus).toBe(true);
  await openByButton();
  await menuItem(page, "Copy link").click();
  await expect.poll(hasFocus).toBe(true);
  await openByButton();
  await page.getByRole("menuitemcheckbox", { name: "React with 👍" }).click();
  await expect(article.getByRole("button", { name: /^👍 1 reaction/ })).toBeVisible();
  await expect.poll(hasFocus).toBe(true);

  // A deleted message hands the focus on to the timeline.
  await openMenu(page, "her own");
  await menuItem(page, "Delete").click();
  await expect(message(page, "Message deleted")).toBeVisible();
  await expect.poll(() => timeline(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);
});

test("the focus stays with a message whose menu or emoji picker closes, and text typed without focus goes to the message field", async ({
  pair: { ana, project },
  open,
}) => {
  await createMessage(ana, project.id, "about the bridge");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const row = message(page, "about the bridge");
  const hasFocus = () => row.evaluate((element) => element.contains(document.activeElement));
  for (const name of ["More", "React"]) {
    await row.hover();
    await actions(row).getByRole("button", { name, exact: true }).click();
    await expect(page.locator("[data-overlay]")).toBeVisible();
    // The buttons stay although the pointer has left for the menu.
    await page.mouse.move(5, 5);
    await expect(actions(row)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-overlay]")).toHaveCount(0);
    await expect.poll(hasFocus).toBe(true);
  }
  await row.hover();
  await actions(row).getByRole("button", { name: "React", exact: true }).click();
  await page.getByRole("combobox").fill("rocket");
  await page.keyboard.press("Enter");
  await expect(row.getByRole("group", { name: "Reactions" })).toBeVisible();
  await expect.poll(hasFocus).toBe(true);

  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.type("Hello there");
  await expect(composer(page)).toHaveValue("Hello there");
});
