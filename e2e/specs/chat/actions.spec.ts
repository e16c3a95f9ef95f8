/** Message actions as their author and another person see them. */
import type { Page } from "@playwright/test";
import { addReaction, editMessage } from "../../../contract/operations/messages.ts";
import { call, loadMessages, createMessage } from "../../fixtures/api.ts";
import { actions, menuItem, message, openMenu, textsInOrder } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a message is edited, deleted and reacted to, and both people see it immediately", async ({ pair: { ana, ben, project }, open }) => {
  const { id } = await createMessage(ben, project.id, "Bass is hot");
  const ownMessage = await createMessage(ana, project.id, "Bas is fine now");
  const path = `/projects/${project.id}/chat`;
  const [anaPage, benPage] = await Promise.all([open(ana, path), open(ben, path)]);

  await test.step("a message is edited in place, and messages of others cannot be edited", async () => {
    const row = message(anaPage, "Bas is fine now");
    await row.hover();
    await actions(row).getByRole("button", { name: "Edit" }).click();
    const field = anaPage.getByRole("textbox", { name: "Edit message" });
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("Bas is fine now");
    await field.fill("Bass is fine now");
    await field.press("Enter");
    await expect(field).toHaveCount(0);
    await expect(message(anaPage, "Bass is fine now")).toContainText("(edited)");
    await expect(message(benPage, "Bass is fine now")).toContainText("(edited)");
    expect((await loadMessages(ben, project.id)).at(-1)).toMatchObject({ body: "Bass is fine now", edited: true });
    await message(anaPage, "Bass is hot").hover();
    await expect(actions(message(anaPage, "Bass is hot")).getByRole("button", { name: "Reply" })).toBeVisible();
    await expect(actions(message(anaPage, "Bass is hot")).getByRole("button", { name: "Edit" })).toHaveCount(0);
  });

  await test.step("reactions are added, show who reacted, and are removed on both sides", async () => {
    const row = message(anaPage, "Bass is hot");
    await row.hover();
    await actions(row).getByRole("button", { name: "React with 👍" }).click();
    const reactionButton = (page: Page, name: RegExp) => message(page, "Bass is hot").getByRole("button", { name });
    await expect(reactionButton(anaPage, /^👍 1 reaction: you$/)).toHaveAttribute("aria-pressed", "true");
    await expect(reactionButton(benPage, /^👍 1 reaction: Ana/)).toHaveAttribute("aria-pressed", "false");
    await reactionButton(benPage, /^👍/).click();
    await expect(reactionButton(anaPage, /^👍 2 reactions: you, Ben/)).toBeVisible();
    await call(ben, addReaction, { params: { project_id: project.id, message_id: id, emoji: encodeURIComponent("🎧") } });
    await expect(reactionButton(anaPage, /^🎧 1 reaction: Ben/)).toBeVisible();
    await reactionButton(anaPage, /^👍/).click();
    await expect(reactionButton(benPage, /^👍 1 reaction: you$/)).toBeVisible();
    // Reacts from the picker, with an emoji found by name.
    await row.hover();
    await actions(row).getByRole("button", { name: "React", exact: true }).click();
    const search = anaPage.getByRole("combobox", { name: "Search emoji" });
    await expect(search).toBeFocused();
    await search.fill("rocket");
    await search.press("Enter");
    await expect(reactionButton(benPage, /^🚀 1 reaction: Ana/)).toBeVisible();
  });

  await test.step("concurrent edits end the same for both people", async () => {
    const params = { project_id: project.id, message_id: ownMessage.id };
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => call(ana, editMessage, { params, body: { body: `draft ${index + 1}` } })),
      ...["👍", "🎉", "👀"].map((emoji) => call(ben, addReaction, { params: { ...params, emoji: encodeURIComponent(emoji) } })),
    ]);
    const stored = (await loadMessages(ana, project.id)).at(-1);
    for (const page of [anaPage, benPage]) {
      await expect(message(page, stored?.body ?? "")).toHaveCount(1);
      await expect(message(page, "draft").getByRole("button", { name: /^(👍|🎉|👀) 1 reaction/ })).toHaveCount(3);
    }
  });

  await test.step("deleting can be undone, even after a reload; for the other person the message disappears and returns", async () => {
    for (const body of ["first", "second", "third"]) await createMessage(ana, project.id, body);
    for (const page of [anaPage, benPage]) await expect(message(page, "third")).toBeVisible();
    await openMenu(anaPage, "second");
    await menuItem(anaPage, "Delete").click();
    await expect(message(anaPage, "Message deleted")).toBeVisible();
    await expect(message(benPage, "second")).toHaveCount(0);
    await expect(message(benPage, "Message deleted")).toHaveCount(0);
    await expect(message(benPage, "third")).toBeVisible();
    await anaPage.reload();
    await expect.poll(() => textsInOrder(anaPage, /first|Message deleted|third/)).toEqual(["first", "Message deleted", "third"]);
    await message(anaPage, "Message deleted").getByRole("button", { name: "Undo" }).click();
    await expect(message(anaPage, "second")).toBeVisible();
    await expect(message(anaPage, "Message deleted")).toHaveCount(0);
    await expect(message(benPage, "second")).toBeVisible();
  });
});
