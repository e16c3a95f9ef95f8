import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { showComment } from "../../../contract/operations/comments.ts";
import { deleteFile } from "../../../contract/operations/files.ts";
import { writeVideo } from "../../../server/media/testing/video-file.ts";
import { call, createMessage } from "../../fixtures/api.ts";
import { dropPaths } from "../../fixtures/attach-files.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { commentField, commentRow, createComment, loadComments } from "../../fixtures/comments.ts";
import { PROCESSING, sendFiles, upload, uploadVersion, waitUntilProcessed } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, message } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { expect, test } from "../../fixtures/test.ts";

const WIDE = { viewport: { width: 2560, height: 1200 } };
const paneOf = (page: Page, name: string) => page.getByRole("region", { name: `File ${name}` });
const fileLink = (page: Page, text: string, name: string) => message(page, text).getByRole("link", { name, exact: true });

test("in a wide window a file opens beside its chat, with its own address, player, status and comments; Back closes it", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ben, project, "nightdrive_mix.wav");
  await sendFiles(ben, project, [id], "The mix");
  await createComment(ben, id, "Bass is hot", { startSeconds: 3 });
  const page = await open(ana, `/projects/${project.id}/chat`, WIDE);
  const pane = page.getByRole("region", { name: "File nightdrive_mix.wav" });
  await composer(page).fill("half a thought");
  await message(page, "The mix").getByRole("link", { name: "nightdrive_mix.wav", exact: true }).click();
  await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat?file=${id}`);
  await expect(pane.getByRole("heading", { name: "nightdrive_mix.wav" })).toBeVisible();
  await expect(composer(page)).toHaveValue("half a thought");
  await expect(pane.getByRole("heading", { name: "nightdrive_mix.wav" })).toBeFocused();
  await expect(pane.getByRole("button", { name: /^Status of / })).toBeVisible();
  await expectAccessible(page);

  await test.step("its comments are read and written there", async () => {
    await expect(commentRow(page, "Bass is hot")).toBeVisible();
    await commentRow(page, "Bass is hot").getByRole("button", { name: /0:03/ }).first().click();
    await expect(pane.getByRole("slider", { name: "Position in nightdrive_mix.wav" })).toHaveAttribute("aria-valuenow", /^3/);
    await commentField(page).fill("It is fine");
    await commentField(page).press("ControlOrMeta+Enter");
    await expect.poll(async () => (await loadComments(ana, id)).map(({ body }) => body)).toContain("It is fine");
    await createMessage(ben, project.id, "Still here");
    await expect(message(page, "Still here")).toBeVisible();
  });

  await test.step("its width changes by keys and is remembered, also after a reload", async () => {
    const edge = pane.getByRole("separator");
    await edge.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(edge).toHaveAttribute("aria-valuenow", "704");
    await page.reload();
    await expect(edge).toHaveAttribute("aria-valuenow", "704");
    expect((await pane.boundingBox())!.width).toBe(704);
  });

  await test.step("Back closes it, Close too, and the file's own page is one click away", async () => {
    await page.goBack();
    await expect(pane).toHaveCount(0);
    await page.goForward();
    await pane.getByRole("button", { name: "Close file" }).click();
    await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat`);
    await expect(pane).toHaveCount(0);
    await expect(fileLink(page, "The mix", "nightdrive_mix.wav")).toBeFocused();
    await page.goBack();
    await pane.getByRole("link", { name: "Open file page" }).click();
    await expect(page).toHaveURL(new RegExp(`/files/${id}`));
  });
});

test("at 2,560 pixels the messages and the composer are one column of 960 pixels; at 1,440 a file opens on its page", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ben, project, "nightdrive_mix.wav");
  await sendFiles(ben, project, [id], "The mix");
  const page = await open(ana, `/projects/${project.id}/chat`, WIDE);
  const row = message(page, "The mix").getByRole("article");
  await expect(row).toBeVisible();
  const [rowBox, fieldBox] = [
    (await row.boundingBox())!,
    (await page
      .locator("form")
      .filter({ has: composer(page) })
      .boundingBox())!,
  ];
  expect(rowBox.width).toBeLessThanOrEqual(960);
  expect(fieldBox.width - 40).toBeLessThanOrEqual(960);
  expect(Math.abs(rowBox.x + rowBox.width / 2 - fieldBox.x - fieldBox.width / 2)).toBeLessThanOrEqual(8);
  await page.setViewportSize({ width: 1440, height: 900 });
  await message(page, "The mix").getByRole("link", { name: "nightdrive_mix.wav", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/files/${id}`));
});

test("the pane takes the keys and dropped files that belong to it, and the chat takes the others", async ({
  organization,
  pair: { ana, project },
  open,
}, info) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  await createComment(ana, id, "Bass is hot", { startSeconds: 3 });
  mkdirSync(info.outputDir, { recursive: true });
  const paths = ["for the comment.bin", "for the message.bin"].map((name) => join(info.outputDir, name));
  for (const path of paths) writeFileSync(path, "content");
  const page = await open(ana, `/projects/${project.id}/chat?file=${id}`, WIDE);
  const pane = paneOf(page, "mix.wav");
  await expect(commentRow(page, "Bass is hot")).toBeVisible();

  await test.step("letters that are typed with nothing focused go to the message", async () => {
    await composer(page).blur();
    await page.keyboard.type("mnp");
    await expect(composer(page)).toHaveValue("mnp");
    await pane.getByRole("button", { name: "Close file" }).focus();
    await page.keyboard.press("n");
    await expect(pane.getByRole("slider", { name: "Position in mix.wav" })).toHaveAttribute("aria-valuenow", /^3/);
    await pane.getByRole("button", { name: "Close file" }).focus();
    await page.keyboard.press("m");
    await expect(commentField(page)).toBeFocused();
    await expect(composer(page)).toHaveValue("mnp");
  });

  await test.step("a dropped file is attached once, where it was dropped", async () => {
    const box = (await pane.boundingBox())!;
    const trays = page.getByRole("list", { name: "Attached files" });
    await dropPaths(page, [paths[0]!], { position: { x: box.x + box.width / 2, y: box.y + 300 } });
    await expect(pane.getByRole("listitem").filter({ hasText: "for the comment.bin" })).toContainText("Uploaded");
    await expect(trays).toHaveCount(1);
    await expect(page.getByText(/^Drop to /)).toHaveCount(0);
    await dropPaths(page, [paths[1]!], { position: { x: box.x - 300, y: box.y + 300 } });
    await expect(trays).toHaveCount(2);
    await expect(page.getByRole("listitem").filter({ hasText: "for the message.bin" })).toHaveCount(1);
    await expect(pane.getByText("for the message.bin")).toHaveCount(0);
  });
});

test("the pane follows its file: a version, a posted comment, a deletion that is undone, and the chat's search stays open", async ({
  pair: { ana, ben, project },
  organization,
  open,
  pageErrors,
}) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  await uploadVersion(ana, id, wav(4));
  await sendFiles(ana, project, [id], "The second bounce");
  await uploadVersion(ana, id, wav(4));
  const comment = await createComment(ben, id, "Too loud", { startSeconds: 2 });
  await call(ben, showComment, { params: { comment_id: comment.id } });
  const page = await open(ana, `/projects/${project.id}/chat?search=bounce`, WIDE);
  const pane = paneOf(page, "mix.wav");
  const search = page.getByRole("region", { name: "Search this chat" });
  await expect(search.getByRole("status")).toHaveText("1 result");

  await test.step("a file opens at its version, beside the search", async () => {
    await fileLink(page, "The second bounce", "mix.wav").click();
    await expect(page).toHaveURL(new RegExp(`/chat\\?search=bounce&file=${id}&v=2$`));
    await expect(pane).toContainText("version 2", { ignoreCase: true });
    await search.getByRole("link").first().click();
    await expect(page).toHaveURL(new RegExp(`/chat/\\d+\\?search=bounce&file=${id}&v=2$`));
    await page.getByRole("button", { name: "Close search" }).click();
    await expect(search).toHaveCount(0);
    await expect(pane).toBeVisible();
  });

  await test.step("a posted comment opens there", async () => {
    await message(page, "Too loud")
      .getByRole("link", { name: /^Comment / })
      .click();
    await expect(page).toHaveURL(new RegExp(`/chat/\\d+\\?file=${id}&comment=${comment.id}$`));
    await expect(commentRow(page, "Too loud")).toBeFocused();
  });

  await test.step("a deleted file is restored from there", async () => {
    pageErrors.allow(statusError(404));
    await call(ana, deleteFile, { body: { file_id: id } });
    await expect(page.getByText("“mix.wav” was deleted")).toBeVisible();
    await expect(pane).toHaveCount(0);
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await expect(pane.getByRole("heading", { name: "mix.wav", exact: true })).toBeVisible();
    await expect(commentRow(page, "Too loud")).toBeVisible();
  });

  await test.step("it stays when the window becomes narrow, where its address leads to the file's page", async () => {
    await page.setViewportSize({ width: 1300, height: 900 });
    await expect(pane).toBeVisible();
    expect((await pane.boundingBox())!.width).toBeGreaterThan(900);
    await page.reload();
    await expect(page).toHaveURL(new RegExp(`/files/${id}\\?comment=${comment.id}`));
  });
});

test("a video plays in the pane", async ({ pair: { ana, project }, open }, info) => {
  test.slow();
  mkdirSync(info.outputDir, { recursive: true });
  const path = join(info.outputDir, "trailer.mkv");
  await writeVideo(path, { width: 320, height: 180, seconds: 4, format: "matroska", codec: "mpeg4", sound: "opus" });
  const id = await upload(ana, project, "trailer.mkv", readFileSync(path));
  await waitUntilProcessed(ana, id);
  const page = await open(ana, `/projects/${project.id}/chat?file=${id}`, WIDE);
  const pane = paneOf(page, "trailer.mkv");
  const video = pane.locator("video");
  await expect(video).toBeVisible();
  expect((await video.boundingBox())!.height).toBeGreaterThan(200);
  await pane.getByRole("button", { name: "Play trailer.mkv" }).click();
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime), PROCESSING).toBeGreaterThan(0.5);
});
