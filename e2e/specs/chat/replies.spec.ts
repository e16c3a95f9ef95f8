import { history, write } from "../../fixtures/api.ts";
import { composer, dialog, message, openMenu, menuItem, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a reply by key quotes what it answers, for both; a parent that is changed and deleted meanwhile says so", async ({
  pair: { ana, ben, project },
  open,
}) => {
  await write(ben, project.id, "Bass is hot");
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const article = message(hers, "Bass is hot").getByRole("article");
  await expect(article).toBeVisible();
  await timeline(hers).focus();
  await hers.keyboard.press("ArrowUp");
  await expect(article).toBeFocused();
  await hers.keyboard.press("r");
  await expect(composer(hers)).toBeFocused();
  await hers.keyboard.type("fixed, listen again");
  // Changed and deleted by its writer while the reply is written.
  const answering = hers.getByRole("group", { name: `Replying to ${ben.name}` });
  await expect(answering).toContainText("Bass is hot");
  await openMenu(his, "Bass is hot");
  await menuItem(his, "Edit").click();
  await his.getByRole("textbox", { name: "Text of the message" }).fill("Bass is fine");
  await his.keyboard.press("Enter");
  await expect(answering).toContainText("Bass is fine");
  await openMenu(his, "Bass is fine");
  await menuItem(his, "Delete").click();
  await expect(message(hers, "Bass is fine")).toHaveCount(0);
  await expect(answering).toContainText("Deleted message");
  await expect(composer(hers)).toHaveValue("fixed, listen again");
  await hers.keyboard.press("Enter");
  for (const page of [hers, his]) await expect(message(page, "fixed, listen again")).toContainText("Deleted message");
  const [parent, reply] = await history(ana, project.id).then((all) => [all.at(-2), all.at(-1)]);
  expect(reply?.parent_message_id).not.toBeNull();
  expect(parent?.body ?? "").not.toMatch(/^Bass/);
});

test("arrow up in an empty composer changes the last own message, and leaves to the composer", async ({ pair: { ana, ben, project }, open }) => {
  await write(ana, project.id, "my last words");
  await write(ben, project.id, "his words");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "his words")).toBeVisible();
  await composer(page).press("ArrowUp");
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await expect(field).toHaveValue("my last words");
  await field.press("Escape");
  await expect(composer(page)).toBeFocused();
});

test("a mention stays a mention when its message is changed", async ({ pair: { ana, ben, project }, open }) => {
  await write(ana, project.id, `<@${ben.id}> listen`);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await openMenu(page, "listen");
  await menuItem(page, "Edit").click();
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await expect(field).toHaveValue(`@${ben.name} listen`);
  await field.fill(`please @${ben.name} listen`);
  await field.press("Enter");
  await expect.poll(async () => (await history(ana, project.id)).at(-1)?.body).toBe(`please <@${ben.id}> listen`);
  await expect(message(page, `please @${ben.name} listen`)).toBeVisible();
});

test("the help lists the keys of messages", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/members`);
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(dialog(page, "Keyboard shortcuts").getByText("Mark unread from here")).toBeVisible();
});
