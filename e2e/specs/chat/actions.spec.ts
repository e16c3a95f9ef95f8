import { addReaction, editMessage } from "../../../contract/operations/messages.ts";
import { call, history, write } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { actions, composer, menuItem, message, openMenu, textsInOrder } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a message is changed in place, and everybody sees it at once", async ({ pair: { ana, ben, project }, open }) => {
  await write(ben, project.id, "Bass is hot");
  await write(ana, project.id, "Bas is fine now");
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const row = message(hers, "Bas is fine now");
  await row.hover();
  await actions(row).getByRole("button", { name: "Edit" }).click();
  const field = hers.getByRole("textbox", { name: "Text of the message" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("Bas is fine now");
  await field.fill("Bass is fine now");
  await field.press("Enter");
  await expect(field).toHaveCount(0);
  await expect(message(hers, "Bass is fine now")).toContainText("(edited)");
  await expect(message(his, "Bass is fine now")).toContainText("(edited)");
  expect((await history(ben, project.id)).at(-1)).toMatchObject({ body: "Bass is fine now", edited: true });

  // Others' messages cannot be edited.
  await message(hers, "Bass is hot").hover();
  await expect(actions(message(hers, "Bass is hot")).getByRole("button", { name: "Reply" })).toBeVisible();
  await expect(actions(message(hers, "Bass is hot")).getByRole("button", { name: "Edit" })).toHaveCount(0);
});

test("Escape leaves a message as it was; what cannot be saved keeps its text and says why", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(answered(503));
  await write(ana, project.id, "take one");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await openMenu(page, "take one");
  await menuItem(page, "Edit").click();
  await field.fill("take two");
  await field.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(message(page, "take one")).toBeVisible();

  await page.route("**/api/v2/projects/*/messages/*", (route) =>
    route.fulfill({ status: 503, contentType: "application/problem+json", json: { object: "error", status: 503, title: "Busy" } }),
  );
  await openMenu(page, "take one");
  await menuItem(page, "Edit").click();
  await field.fill("take three");
  await field.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Not saved" })).toBeVisible();
  await expect(field).toHaveValue("take three");
  await page.unroute("**/api/v2/projects/*/messages/*");
  await field.press("Enter");
  await expect(message(page, "take three")).toContainText("(edited)");
});

test("who deletes may undo it, also after a reload; for the other it is gone and comes back", async ({ pair: { ana, ben, project }, open }) => {
  for (const body of ["first", "second", "third"]) await write(ana, project.id, body);
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  await expect(message(his, "second")).toBeVisible();
  await openMenu(hers, "second");
  await menuItem(hers, "Delete").click();
  await expect(message(hers, "Message deleted")).toBeVisible();
  await expect(message(his, "second")).toHaveCount(0);
  await expect(message(his, "Message deleted")).toHaveCount(0);
  await expect(message(his, "third")).toBeVisible();
  await hers.reload();
  await expect(message(hers, "third")).toBeVisible();
  expect(await textsInOrder(hers, /first|Message deleted|third/)).toEqual(["first", "Message deleted", "third"]);
  await message(hers, "Message deleted").getByRole("button", { name: "Undo" }).click();
  await expect(message(hers, "second")).toBeVisible();
  await expect(message(hers, "Message deleted")).toHaveCount(0);
  await expect(message(his, "second")).toBeVisible();
});

test("reactions join, show who, and leave again on both sides", async ({ pair: { ana, ben, project }, open }) => {
  const { id } = await write(ben, project.id, "New mix is up");
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const row = message(hers, "New mix is up");
  await row.hover();
  await actions(row).getByRole("button", { name: "React with 👍" }).click();
  const pill = (page: typeof hers, name: RegExp) => message(page, "New mix is up").getByRole("button", { name });
  await expect(pill(hers, /^👍 1 reaction: you$/)).toHaveAttribute("aria-pressed", "true");
  await expect(pill(his, /^👍 1 reaction: Ana/)).toHaveAttribute("aria-pressed", "false");
  await pill(his, /^👍/).click();
  await expect(pill(hers, /^👍 2 reactions: you, Ben/)).toBeVisible();
  await call(ben, addReaction, { params: { project_id: project.id, message_id: id, emoji: encodeURIComponent("🎧") } });
  await expect(pill(hers, /^🎧 1 reaction: Ben/)).toBeVisible();
  await pill(hers, /^👍/).click();
  await expect(pill(his, /^👍 1 reaction: you$/)).toBeVisible();

  // From the picker, found by its words.
  await row.hover();
  await actions(row).getByRole("button", { name: "React", exact: true }).click();
  const search = hers.getByRole("searchbox", { name: "Search emoji" });
  await expect(search).toBeFocused();
  await search.fill("rocket");
  await search.press("Enter");
  await expect(pill(his, /^🚀 1 reaction: Ana/)).toBeVisible();
});

test("a message deleted while it is being changed keeps the text that was typed", async ({ house, pair: { ana, project }, open }) => {
  const { id } = await write(ana, project.id, "about to go");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await openMenu(page, "about to go");
  await menuItem(page, "Edit").click();
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await field.fill("words that took long");
  await call(house.owner, (await import("../../../contract/operations/messages.ts")).deleteMessage, { params: { project_id: project.id, message_id: id } });
  await expect(page.getByText("This message was deleted meanwhile.")).toBeVisible();
  await expect(field).toHaveValue("words that took long");
  await page.getByRole("button", { name: "Let it go" }).click();
  await expect(field).toHaveCount(0);
});

test("edits that race end the same for everybody", async ({ pair: { ana, ben, project }, open }) => {
  const { id } = await write(ana, project.id, "draft 0");
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  await expect(message(his, "draft 0")).toBeVisible();
  await expect(message(hers, "draft 0")).toBeVisible();
  const params = { project_id: project.id, message_id: id };
  await Promise.all([
    ...Array.from({ length: 8 }, (_, index) => call(ana, editMessage, { params, body: { body: `draft ${index + 1}` } })),
    ...["👍", "🎉", "👀"].map((emoji) => call(ben, addReaction, { params: { ...params, emoji: encodeURIComponent(emoji) } })),
  ]);
  const stored = (await history(ana, project.id)).at(-1);
  for (const page of [hers, his]) {
    await expect(message(page, stored?.body ?? "")).toHaveCount(1);
    await expect(message(page, "draft").getByRole("button", { name: /^(👍|🎉|👀) 1 reaction/ })).toHaveCount(3);
  }
});

test("menu, picker, editing and reactions are accessible in both themes and on a phone", async ({ pair: { ana, ben, project }, open }) => {
  const { id } = await write(ben, project.id, "New mix is up");
  await call(ben, addReaction, { params: { project_id: project.id, message_id: id, emoji: encodeURIComponent("🎧") } });
  await write(ana, project.id, "mine");
  const page = await open(ana, `/projects/${project.id}/chat`, { reducedMotion: "reduce" });
  await openMenu(page, "mine");
  await menuItem(page, "Edit").click();
  await expect(page.getByRole("textbox", { name: "Text of the message" })).toBeVisible();
  await expectAccessible(page);
  await openMenu(page, "New mix is up");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(composer(page)).toBeVisible();
});
