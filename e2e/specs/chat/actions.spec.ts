/** What is done with messages, as its doer and the other person see it. */
import type { Page } from "@playwright/test";
import { addReaction, editMessage } from "../../../contract/operations/messages.ts";
import { call, history, write } from "../../fixtures/api.ts";
import { actions, menuItem, message, openMenu, textsInOrder } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a message is changed, deleted and reacted to, and everybody sees it at once", async ({ pair: { ana, ben, project }, open }) => {
  const { id } = await write(ben, project.id, "Bass is hot");
  const own = await write(ana, project.id, "Bas is fine now");
  const path = `/projects/${project.id}/chat`;
  const [hers, his] = await Promise.all([open(ana, path), open(ben, path)]);

  await test.step("a message is changed in place; others' messages cannot be", async () => {
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
    await message(hers, "Bass is hot").hover();
    await expect(actions(message(hers, "Bass is hot")).getByRole("button", { name: "Reply" })).toBeVisible();
    await expect(actions(message(hers, "Bass is hot")).getByRole("button", { name: "Edit" })).toHaveCount(0);
  });

  await test.step("reactions join, show who, and leave again on both sides", async () => {
    const row = message(hers, "Bass is hot");
    await row.hover();
    await actions(row).getByRole("button", { name: "React with 👍" }).click();
    const pill = (page: Page, name: RegExp) => message(page, "Bass is hot").getByRole("button", { name });
    await expect(pill(hers, /^👍 1 reaction: you$/)).toHaveAttribute("aria-pressed", "true");
    await expect(pill(his, /^👍 1 reaction: Ana/)).toHaveAttribute("aria-pressed", "false");
    await pill(his, /^👍/).click();
    await expect(pill(hers, /^👍 2 reactions: you, Ben/)).toBeVisible();
    await call(ben, addReaction, { params: { project_id: project.id, message_id: id, emoji: encodeURIComponent("🎧") } });
    await expect(pill(hers, /^🎧 1 reaction: Ben/)).toBeVisible();
    await pill(hers, /^👍/).click();
    await expect(pill(his, /^👍 1 reaction: you$/)).toBeVisible();
    // From the picker, found by its name.
    await row.hover();
    await actions(row).getByRole("button", { name: "React", exact: true }).click();
    const search = hers.getByRole("searchbox", { name: "Search emoji" });
    await expect(search).toBeFocused();
    await search.fill("rocket");
    await search.press("Enter");
    await expect(pill(his, /^🚀 1 reaction: Ana/)).toBeVisible();
  });

  await test.step("edits that race end the same for everybody", async () => {
    const params = { project_id: project.id, message_id: own.id };
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

  await test.step("who deletes may undo it, also after a reload; for the other it is gone and comes back", async () => {
    for (const body of ["first", "second", "third"]) await write(ana, project.id, body);
    await expect(message(his, "second")).toBeVisible();
    await openMenu(hers, "second");
    await menuItem(hers, "Delete").click();
    await expect(message(hers, "Message deleted")).toBeVisible();
    await expect(message(his, "second")).toHaveCount(0);
    await expect(message(his, "Message deleted")).toHaveCount(0);
    await expect(message(his, "third")).toBeVisible();
    await hers.reload();
    await expect.poll(() => textsInOrder(hers, /first|Message deleted|third/)).toEqual(["first", "Message deleted", "third"]);
    await message(hers, "Message deleted").getByRole("button", { name: "Undo" }).click();
    await expect(message(hers, "second")).toBeVisible();
    await expect(message(hers, "Message deleted")).toHaveCount(0);
    await expect(message(his, "second")).toBeVisible();
  });
});
