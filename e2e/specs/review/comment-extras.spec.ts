import { deleteFiles, moveFiles } from "../../../contract/operations/files-view.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { createFolder } from "../../fixtures/files-view.ts";
import { attachFiles, listChatFileNames, setChooserFiles, uploadCard } from "../../fixtures/attach-files.ts";
import { commentField, commentRow, createComment, expectCommentSaved, loadComments, removeComment, resolveComment } from "../../fixtures/comments.ts";
import { sendFiles, uploadVersion } from "../../fixtures/files.ts";
import { png, wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/network.ts";
import { NETWORK_LOSS, statusError } from "../../fixtures/page-errors.ts";
import { connectionBanner, message, rail, railProject } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";

test("a mention in a comment reaches the other's inbox and opens at the comment", async ({ organization, pair: { ana, ben, project }, open }) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const [anaPage, benPage] = await Promise.all([open(ana, `/files/${id}?t=3`), open(ben, "/tasks")]);
  await commentField(anaPage).click();
  await anaPage.keyboard.type(`@${ben.name.slice(0, 3)}`);
  await expect(anaPage.getByRole("option", { name: ben.name })).toBeVisible();
  await expectAccessible(anaPage);
  await anaPage.keyboard.press("Enter");
  await anaPage.keyboard.type("the snare bites :fire");
  await expect(anaPage.getByRole("option", { name: "fire", exact: true })).toBeVisible();
  await anaPage.keyboard.press("Enter");
  await anaPage.keyboard.press("Enter");
  await expectCommentSaved(anaPage, `@${ben.name} the snare bites 🔥`);
  expect(await loadComments(ana, id)).toMatchObject([{ body: `<@${ben.id}> the snare bites 🔥`, mentions: [ben.id], position_ms: 3_000 }]);

  await rail(benPage)
    .getByRole("link", { name: /^Inbox/ })
    .click();
  const notification = benPage.getByRole("link", { name: `${ana.name} mentioned you in a comment on mix.wav` });
  await expect(notification).toContainText(`@${ben.name} the snare bites 🔥`);
  await notification.click();
  await expect(commentRow(benPage, `@${ben.name} the snare bites`)).toBeFocused();
  await expect(benPage.getByTestId("position")).toHaveText("0:03.0");
  await expect(railProject(benPage, project.name)).toHaveAttribute("aria-current", "page");

  await commentRow(anaPage, "the snare bites").focus();
  await anaPage.keyboard.press("e");
  await expect(anaPage.getByRole("textbox", { name: "Edit comment" })).toHaveValue(`@${ben.name} the snare bites 🔥`);
  await anaPage.keyboard.press("Control+A");
  await anaPage.keyboard.type("Never mind");
  await anaPage.keyboard.press("Enter");
  await expect(commentRow(benPage, "Never mind")).toBeVisible();
  await benPage.goBack();
  await expect(notification).toHaveCount(0);
});

test("a comment with files waits without a connection and is sent once, after a reload, and its files play and go with it", async ({
  organization,
  pair: { ana, ben, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const page = await open(ana, `/files/${id}?t=2`);
  await expect(page.getByText("No comments yet.")).toBeVisible();
  const context = page.context();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await setChooserFiles(await chooser, [{ name: "reference.png", mimeType: "image/png", buffer: png(40, 30) }]);
  await expect(uploadCard(page, "reference.png")).toContainText("Uploaded");
  await context.setOffline(true);
  await expect(connectionBanner(page)).toBeVisible();
  const second = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await setChooserFiles(await second, [{ name: "snare.wav", mimeType: "audio/wav", buffer: wav(2) }]);
  await commentField(page).fill("Like this");
  await page.keyboard.press("Enter");
  await expect(commentRow(page, "Like this")).toContainText("Waiting to send");
  await expect(commentRow(page, "Like this")).toContainText("snare.wav");
  await expect(connectionBanner(page)).toContainText("1 comment will send when you're back online.");
  await expect(commentField(page)).toHaveValue("");
  await context.setOffline(false);
  await page.reload();
  await expectCommentSaved(page, "Like this");
  await expect.poll(async () => (await loadComments(ana, id)).length).toBe(1);
  expect((await loadComments(ana, id))[0]?.attachments?.map(({ name }) => name)).toEqual(["reference.png", "snare.wav"]);

  const other = await open(ben, `/files/${id}`);
  const files = commentRow(other, "Like this").getByRole("list", { name: "2 attachments" });
  await expect(files.getByRole("link", { name: "reference.png", exact: true })).toBeVisible();
  await files.getByRole("button", { name: "Play snare.wav" }).click();
  await expect(files.getByRole("button", { name: "Pause snare.wav" })).toBeVisible();
  await expectAccessible(other);
  await commentRow(page, "Like this").focus();
  await page.keyboard.press("Delete");
  await expect(commentRow(other, "Like this")).toHaveCount(0);
});

test("a file keeps the moment at which it was attached, also without text and after a reload", async ({ organization, pair: { ana, project }, open }) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const page = await open(ana, `/files/${id}?t=3`);
  await expect(page.getByText("No comments yet.")).toBeVisible();
  const field = page.getByRole("textbox", { name: "Comment at 0:03.0" });
  await attachFiles(page, { name: "reference.png", mimeType: "image/png", buffer: png(40, 30) });
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await expect(page.getByTestId("position")).toHaveText("0:00.0");
  await expect(field).toBeVisible();
  await expect(uploadCard(page, "reference.png")).toContainText("Uploaded");
  await page.reload();
  await expect(uploadCard(page, "reference.png")).toBeVisible();
  await expect(field).toBeVisible();
  await field.press("Enter");
  await expect.poll(async () => (await loadComments(ana, id)).map(({ position_ms }) => position_ms)).toEqual([3_000]);

  await test.step("without the file, the field follows playback again", async () => {
    await attachFiles(page, { name: "other.png", mimeType: "image/png", buffer: png(40, 30) });
    await expect(page.getByRole("textbox", { name: /^Comment at / })).toBeFocused();
    await uploadCard(page, "other.png").getByRole("button", { name: "Remove other.png" }).click();
    await expect(page.getByRole("textbox", { name: "Comment", exact: true })).toBeVisible();
  });
});

test("the files of a closed reply stay in reach, also when the comment is deleted, and discarding deletes them", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const comment = await createComment(ben, id, "Send the stem", { startSeconds: 1 });
  const page = await open(ana, `/files/${id}`);
  await commentRow(page, "Send the stem").focus();
  await page.keyboard.press("r");
  await expect(page.getByRole("textbox", { name: /^Reply to/ })).toBeFocused();
  const form = page.getByRole("article", { name: /^Comment by/ });
  const chooser = page.waitForEvent("filechooser");
  await form.getByRole("button", { name: "Attach files" }).click();
  await setChooserFiles(await chooser, [{ name: "stem.png", mimeType: "image/png", buffer: png(40, 30) }]);
  await expect(uploadCard(page, "stem.png")).toContainText("Uploaded");
  expect(await listChatFileNames(ana, project)).toEqual(["stem.png"]);
  await page.keyboard.press("Escape");
  const draft = form.getByRole("button", { name: "Draft reply with files" });
  await expect(draft).toBeVisible();
  await expect(uploadCard(page, "stem.png")).toHaveCount(0);
  await removeComment(ben, comment);
  await expect(form).toContainText("This comment was deleted.");
  await draft.click();
  await expect(uploadCard(page, "stem.png")).toBeVisible();
  await expect(form).toContainText("these files can't be sent");
  await expect(form.getByRole("button", { name: "Attach files" })).toHaveCount(0);
  await expectAccessible(page);
  await form.getByRole("button", { name: "Discard" }).click();
  await expect(form).toHaveCount(0);
  await expect.poll(() => listChatFileNames(ana, project)).toEqual([]);
});

test("the files of an unsent comment can be removed after its file was deleted", async ({ organization, pair: { ana, project }, open, pageErrors }) => {
  pageErrors.allow(statusError(404));
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const page = await open(ana, `/files/${id}`);
  await expect(page.getByText("No comments yet.")).toBeVisible();
  await attachFiles(page, { name: "reference.png", mimeType: "image/png", buffer: png(40, 30) });
  await expect(uploadCard(page, "reference.png")).toContainText("Uploaded");
  await call(ana, deleteFiles, { body: { file_ids: [id] } });
  const unsent = page.getByRole("region", { name: "Unsent drafts" });
  await expect(unsent).toContainText("reference.png");
  await expectAccessible(page);
  await unsent.getByRole("button", { name: "Remove reference.png" }).click();
  await expect(unsent).toHaveCount(0);
});

test("Open lists open comments only, and says what is new in resolved ones", async ({ organization, pair: { ana, ben, project }, open }) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const anas = await createComment(ana, id, "Mine, and done", { startSeconds: 1 });
  await createComment(ben, id, "An answer to it", { parent: anas });
  await resolveComment(ben, anas);
  await createComment(ben, id, "Still to do", { startSeconds: 2 });
  const page = await open(ana, `/files/${id}`);
  await expect(commentRow(page, "Still to do")).toBeVisible();
  const panel = page.getByRole("region", { name: "Comments" });
  await expect(commentRow(page, "Mine, and done")).toHaveCount(0);
  await expect(panel).toContainText("1 open");
  await expect(panel).toContainText("1 new in resolved");
  await panel.getByRole("button", { name: "Show", exact: true }).click();
  await expect(commentRow(page, "An answer to it")).toBeVisible();
  await expect(panel).toContainText("1 open · 1 resolved");
  await expect(panel.getByText("1 new in resolved")).toHaveCount(0);
});

test("a file's page shows its path, leads back to where it was opened, and In chat to the message that has it", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const mixes = await createFolder(ana, project.root_folder_id, "Mixes");
  await call(ana, moveFiles, { body: { file_ids: [id], parent_id: mixes } });
  const page = await open(ben, `/projects/${project.id}/files/${mixes}`);
  await page.getByRole("grid").getByRole("link", { name: "mix.wav", exact: true }).click();
  const path = page.getByRole("navigation", { name: "Path" });
  await expect(path.getByRole("link")).toHaveText([project.name, "Mixes"]);
  await expect(railProject(page, project.name)).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("link", { name: "In chat" })).toHaveCount(0);
  await page.getByRole("slider").first().press("End");
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/files/${mixes}$`));
  await page.goto(`${ben.url}/files/${id}`);
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/${project.id}/files/${mixes}$`));
  await page.goBack();

  // A reload at an older version does not hide where the page was opened from.
  await uploadVersion(ana, id, wav(2));
  await page.goto(`${ben.url}/projects/${project.id}/files/${mixes}`);
  await page.getByRole("grid").getByRole("link", { name: "mix.wav", exact: true }).click();
  await page.getByRole("button", { name: "Version 2 of mix.wav" }).click();
  await page.getByRole("menuitemradio", { name: /^Version 1/ }).click();
  await expect(page).toHaveURL(/[?&]v=1/);
  await page.reload();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/files/${mixes}$`));
  await page.goForward();

  const first = await sendFiles(ana, project, [id], "First bounce");
  await page.getByRole("link", { name: "In chat" }).click();
  await expect(page).toHaveURL(new RegExp(`/chat/${first.id}$`));
  await expect(message(page, "First bounce")).toBeInViewport();
  await message(page, "First bounce").getByRole("link", { name: "mix.wav", exact: true }).click();
  await uploadVersion(ana, id, wav(3));
  const newest = await sendFiles(ana, project, [id], "Second bounce");
  await page.getByRole("button", { name: "In chat" }).click();
  await expect(page.getByRole("menuitem")).toHaveText([/^v3.*Second bounce$/, /^v2.*First bounce$/]);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await test.step("a phone has room for it, too", async () => {
    await page.setViewportSize({ width: 320, height: 720 });
    for (const name of ["In chat", "Add to favorites"]) await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("link", { name: "Download" }).first()).toBeInViewport({ ratio: 1 });
  });
  await page.getByRole("button", { name: "In chat" }).click();
  await page.getByRole("menuitem").first().click();
  await expect(page).toHaveURL(new RegExp(`/chat/${newest.id}$`));
  await page.setViewportSize({ width: 1_280, height: 720 });
  await page.goBack();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/chat`));
});
