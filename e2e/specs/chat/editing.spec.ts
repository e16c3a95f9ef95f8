/** Editing messages in place. */
import { addReaction, deleteMessage } from "../../../contract/operations/messages.ts";
import { addProjectMember } from "../../../contract/operations/projects.ts";
import { call, createProject, loadMessages, createMessage } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, menuItem, message, openMenu, railProject } from "../../fixtures/pages.ts";
import { delayFrames } from "../../fixtures/rendering.ts";
import { uniqueName } from "../../fixtures/test.ts";

test("an edit survives errors, switching projects and the deletion of its message, and has the composer's suggestions", async ({
  organization: { owner },
  pair: { ana, ben, project },
  open,
  pageErrors,
  network,
}, info) => {
  const other = await createProject(owner, uniqueName("Elsewhere", info.testId));
  await call(owner, addProjectMember, { params: { project_id: other.id }, body: { account_id: ana.id } });
  await createMessage(ana, project.id, `<@${ben.id}> take one`);
  // Separates the messages, so that the menu of the last one does not cover the first.
  for (let index = 1; index <= 8; index += 1) await createMessage(ben, project.id, `between ${index}`);
  const mix = await createMessage(ben, project.id, "New mix is up");
  await call(ben, addReaction, { params: { project_id: project.id, message_id: mix.id, emoji: encodeURIComponent("🎧") } });
  await createMessage(ana, project.id, "listen");
  const { id } = await createMessage(ana, project.id, "about to go");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const field = page.getByRole("textbox", { name: "Edit message" });
  const edit = async (text: string) => {
    await openMenu(page, text);
    await menuItem(page, "Edit").click();
    await expect(field).toBeFocused();
  };
  const messageBodies = async () => (await loadMessages(ana, project.id)).map(({ body }) => body);

  await test.step("an edit, a menu and a reaction are accessible in both themes and on a phone, and Escape cancels the edit", async () => {
    await edit("take one");
    await expect(field).toHaveValue(`@${ben.name} take one`);
    await openMenu(page, "New mix is up");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(composer(page)).toBeVisible();
    await field.fill("take two");
    await field.press("Escape");
    await expect(field).toHaveCount(0);
    await expect(message(page, `@${ben.name} take one`)).toBeVisible();
  });

  await test.step("an edit that cannot be saved preserves its text and shows why, and its mention stays a mention", async () => {
    pageErrors.allow(statusError(503));
    const busy = await network.replyWithProblem(page, "**/api/v2/projects/*/messages/*", 503, "Busy");
    await edit("take one");
    await field.fill(`@${ben.name} take three`);
    await field.press("Enter");
    await expect(page.getByRole("alert").filter({ hasText: "Couldn't save" })).toBeVisible();
    await expect(field).toHaveValue(`@${ben.name} take three`);
    await busy.end();
    await field.press("Enter");
    await expect(message(page, `@${ben.name} take three`)).toContainText("(edited)");
    await expect.poll(messageBodies).toContain(`<@${ben.id}> take three`);
  });

  await test.step("an edit has the composer's suggestions, and is still open after switching projects", async () => {
    await edit("listen");
    await field.press("End");
    await field.pressSequentially(" @");
    const option = page.getByRole("listbox", { name: "People" }).getByRole("option", { name: ben.name });
    await expect(option).toBeInViewport({ ratio: 1 });
    // Clicks without a pointer, as a screen reader does.
    await option.dispatchEvent("click");
    await expect(field).toHaveValue(`listen @${ben.name} `);
    await expect(field).toBeFocused();
    await railProject(page, other.name).click();
    await expect(composer(page)).toHaveAccessibleName(`Message ${other.name}`);
    await railProject(page, project.name).click();
    await expect(field).toHaveValue(`listen @${ben.name} `);
    await field.press("Enter");
    await expect.poll(async () => (await loadMessages(ana, project.id)).at(-2)).toMatchObject({ body: `listen <@${ben.id}>`, mentions: [ben.id] });
    await expect(message(page, `listen @${ben.name}`)).toBeVisible();
  });

  await test.step("an edit of a message that is deleted meanwhile preserves the typed text", async () => {
    await edit("about to go");
    await field.fill("a text that took long");
    await call(owner, deleteMessage, { params: { project_id: project.id, message_id: id } });
    await expect(page.getByText("This message has been deleted.")).toBeVisible();
    await expect(field).toHaveValue("a text that took long");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect(field).toHaveCount(0);
  });
});

test("text typed right after the key that opens an edit goes to the edit, before more code has loaded", async ({ pair: { ana, project }, open, network }) => {
  await createMessage(ana, project.id, "take one");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "take one")).toBeVisible();
  await expect(composer(page)).toBeFocused();
  const laterModules = await network.pause(page, /\.js$/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type(", louder");
  await page.keyboard.press("Enter");
  await laterModules.end();
  await expect(message(page, "take one, louder")).toContainText("(edited)");
  await expect(composer(page)).toHaveValue("");
  await expect.poll(async () => (await loadMessages(ana, project.id)).map(({ body }) => body)).toEqual(["take one, louder"]);
});

test("text typed right after choosing Edit in the menu goes to the edit, before the browser draws a frame", async ({ pair: { ana, project }, open }) => {
  await createMessage(ana, project.id, "take one");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await openMenu(page, "take one");
  await menuItem(page, "Edit").focus();
  const frames = await delayFrames(page);
  await page.keyboard.press("Enter");
  await page.keyboard.type(", louder");
  await page.keyboard.press("Enter");
  await frames.release();
  await expect(message(page, "take one, louder")).toContainText("(edited)");
  await expect.poll(async () => (await loadMessages(ana, project.id)).map(({ body }) => body)).toEqual(["take one, louder"]);
});

test("a message can be edited again while its edit is being saved", async ({ pair: { ana, project }, open, network }) => {
  await createMessage(ana, project.id, "take one");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const field = page.getByRole("textbox", { name: "Edit message" });
  const loadBody = async () => (await loadMessages(ana, project.id)).at(-1)?.body;
  await expect(message(page, "take one")).toBeVisible();
  await composer(page).press("ArrowUp");
  await expect(field).toBeFocused();
  await field.fill("take two");
  const paused = await network.pause(page, "**/api/v2/projects/*/messages/*", { method: "PATCH" });
  await field.press("Enter");
  await expect.poll(() => paused.urls.length).toBe(1);
  await expect(field).toHaveCount(0);
  await composer(page).press("ArrowUp");
  await expect(field).toBeFocused();
  await page.keyboard.type(" and a half");
  await paused.end();
  await expect.poll(loadBody).toBe("take two");
  await expect(field).toHaveValue("take two and a half");
  await field.press("Enter");
  await expect.poll(loadBody).toBe("take two and a half");
  await expect(field).toHaveCount(0);
  await expect(composer(page)).toHaveValue("");
});
