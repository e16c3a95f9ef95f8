import { createMessage } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { commentField, commentRow, createComment, loadComments } from "../../fixtures/comments.ts";
import { sendFiles } from "../../fixtures/files.ts";
import { composer, message } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { expect, test } from "../../fixtures/test.ts";

const WIDE = { viewport: { width: 2560, height: 1200 } };

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
