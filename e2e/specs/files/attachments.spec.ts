import type { Page } from "@playwright/test";
import { deleteFile } from "../../../contract/operations/files.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { PROCESSING, setStatus, waitUntilProcessed, sendFiles, setFileState, upload } from "../../fixtures/files.ts";
import { png, wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/network.ts";
import { message, timeline } from "../../fixtures/pages.ts";
import { DOCUMENT_TEXT, createProcessedFiles } from "../../fixtures/processed-files.ts";

const chat = (projectId: number) => `/projects/${projectId}/chat`;
const main = (page: Page) => page.getByRole("main");

test("audio files in the chat show waveform, tempo and status, play one at a time, become playable once processed, and show when they are deleted", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const [mix, verse, chorus, rough] = (await createProcessedFiles(organization, ana, project, [
    "nightdrive_mix.wav",
    "verse.wav",
    "chorus.wav",
    "rough.wav",
  ])) as [number, number, number, number];
  await setStatus(ana, project, mix, "In review");
  await sendFiles(ana, project, [mix], "New bounce");
  await sendFiles(ana, project, [verse, chorus], "Two takes");
  await sendFiles(ana, project, [rough], "Forget this one");
  const page = await open(ben, chat(project.id));

  await test.step("an audio file shows its waveform, tempo and status, and plays", async () => {
    const row = message(page, "New bounce");
    await expect(row.getByRole("link", { name: "nightdrive_mix.wav", exact: true })).toHaveAttribute("href", `/files/${mix}`);
    await expect(row).toContainText(/\d bpm/);
    await expect(row).toContainText("In review");
    const position = row.getByRole("slider", { name: "Position in nightdrive_mix.wav" });
    await expect(position).toHaveAttribute("aria-valuemax", "20");

    await row.getByRole("button", { name: "Play nightdrive_mix.wav" }).click();
    await expect(row.getByRole("button", { name: "Pause nightdrive_mix.wav" })).toBeVisible();
    await expect(position).not.toHaveAttribute("aria-valuenow", "0");
    await row.getByRole("button", { name: "Pause nightdrive_mix.wav" }).click();
    await position.press("End");
    await expect(position).toHaveAttribute("aria-valuenow", "20");
  });

  await test.step("one audio file plays at a time", async () => {
    await main(page).getByRole("button", { name: "Play verse.wav" }).click();
    await expect(main(page).getByRole("button", { name: "Pause verse.wav" })).toBeVisible();
    await main(page).getByRole("button", { name: "Play chorus.wav" }).click();
    await expect(main(page).getByRole("button", { name: "Pause chorus.wav" })).toBeVisible();
    await expect(main(page).getByRole("button", { name: "Play verse.wav" })).toBeVisible();
  });

  await test.step("an audio file sent before it is processed becomes playable in place", async () => {
    const id = await upload(ana, project, "long take.wav", wav(4));
    // The chat opened at its first unread message and may be scrolled above its end.
    await timeline(page).press("End");
    await sendFiles(ana, project, [id], "Just bounced");
    const row = message(page, "Just bounced");
    await expect(row).toBeVisible();
    const { height } = (await row.boundingBox())!;
    await waitUntilProcessed(ana, id);
    await expect(row.getByRole("slider", { name: "Position in long take.wav" })).toHaveAttribute("aria-valuemax", "4");
    await expect(row).toContainText("0:04");
    expect((await row.boundingBox())!.height).toBe(height);
  });

  await test.step("a deleted file shows as deleted in its message, live", async () => {
    await expect(message(page, "Forget this one").getByRole("link", { name: "rough.wav", exact: true })).toBeVisible();
    await call(ana, deleteFile, { body: { file_id: rough } });
    await expect(message(page, "Forget this one")).toContainText("rough.wav was deleted");
  });
});

test("images and documents have a status, a full-size view with keys, cards, downloads and file pages", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const [documentId, imageId, videoId, first, third] = (await createProcessedFiles(organization, ana, project, [
    "delivery spec.txt",
    "cover.png",
    "reel.bin",
    "cover 1.png",
    "cover 3.png",
  ])) as [number, number, number, number, number];
  const second = await upload(ana, project, "cover 2.png", png(640, 362, 120));
  await waitUntilProcessed(ana, second);
  setFileState(organization.service, videoId, { kind: "video", duration: 3 });
  const kinds = [documentId, imageId, videoId];
  for (const [index, id] of kinds.entries()) await sendFiles(ana, project, [id], `File ${index}`);
  await sendFiles(ana, project, [first, second, third]);
  const page = await open(ben, chat(project.id));

  await test.step("a status shows on files of every kind, immediately", async () => {
    for (const [index, id] of kinds.entries()) {
      await expect(message(page, `File ${index}`)).toBeVisible();
      await expect(message(page, `File ${index}`)).not.toContainText("Approved");
      await setStatus(ana, project, id, "Approved");
      await expect(message(page, `File ${index}`)).toContainText("Approved");
    }
    await page.reload();
    for (const index of kinds.keys()) await expect(message(page, `File ${index}`)).toContainText("Approved");
  });

  await test.step("images open in full size, and keys move between them", async () => {
    const openButton = page.getByRole("button", { name: "View cover 2.png full size" });
    await openButton.click();
    const viewer = page.getByRole("dialog");
    await expect(viewer.getByRole("img", { name: "cover 2.png" })).toBeVisible();
    await expect(viewer).toContainText("2 of 3");
    await expect
      .poll(() => viewer.getByRole("img", { name: "cover 2.png" }).evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
      .toEqual([640, 362]);
    await page.keyboard.press("ArrowRight");
    await expect(viewer.getByRole("img", { name: "cover 3.png" })).toBeVisible();
    await page.keyboard.press("Home");
    await expect(viewer.getByRole("img", { name: "cover 1.png" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(viewer).toHaveCount(0);
    await expect(openButton).toBeFocused();
  });

  await test.step("a document is a card with type and size, and downloads the uploaded bytes", async () => {
    await expect(message(page, "delivery spec.txt")).toContainText("TXT · 2.6 kB");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download delivery spec.txt" }).click()]);
    expect(download.suggestedFilename()).toBe("delivery spec.txt");
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe(DOCUMENT_TEXT);
  });

  await test.step("a document and an image have a file page", async () => {
    await message(page, "File 0").getByRole("link", { name: "delivery spec.txt", exact: true }).click();
    await expect(main(page)).toContainText("No preview available.");
    const [download] = await Promise.all([page.waitForEvent("download"), main(page).getByRole("link", { name: "Download" }).last().click()]);
    expect(download.suggestedFilename()).toBe("delivery spec.txt");
    await page.goto(`${ben.url}/files/${first}`);
    const image = page.getByRole("img", { name: "Image cover 1.png" });
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(900);
    await expect(main(page)).toContainText("900 × 600");
    await expect(page.getByRole("region", { name: "Status history" })).toContainText("No status changes yet.");
  });
});

test("a failed file shows why and can be reprocessed in the chat and on its page; a guest only sees why", async ({
  organization,
  pair: { ana, project },
  createPerson,
  open,
}) => {
  const id = await upload(ana, project, "broken.wav", wav(2));
  await waitUntilProcessed(ana, id);
  setFileState(organization.service, id, { transcoding_status: "failed", failure: "The file ends in the middle of its sound." });
  await sendFiles(ana, project, [id], "Does this play?");
  const guest = await createPerson("Gus", "guest", [project.id]);
  const [guestPage, page] = await Promise.all([open(guest, chat(project.id)), open(ana, chat(project.id))]);

  await test.step("the chat shows why a file failed", async () => {
    await expect(message(guestPage, "Does this play?")).toContainText("The file ends in the middle of its sound.");
    await expect(guestPage.getByRole("button", { name: "Run again" })).toHaveCount(0);
    await page.getByRole("button", { name: "Run again" }).click();
    // The file is valid audio, so processing now succeeds, for both people.
    await expect(message(page, "Does this play?").getByRole("slider")).toBeVisible(PROCESSING);
    await expect(message(guestPage, "Does this play?").getByRole("slider")).toBeVisible(PROCESSING);
  });

  await test.step("the file's page shows why it failed and reprocesses it", async () => {
    await waitUntilProcessed(ana, id);
    setFileState(organization.service, id, { transcoding_status: "failed", failure: "The sound stops in the middle: the file is cut short." });
    await page.goto(`${ana.url}/files/${id}`);
    await expect(page.getByRole("alert")).toContainText("cut short");
    await page.getByRole("button", { name: "Run again" }).click();
    await expect(page.getByText("Processing failed")).toHaveCount(0);
    expect((await waitUntilProcessed(ana, id)).common.transcoding_status).toBe("transcoded");
    await expect(page.getByRole("status").filter({ hasText: /processing/i })).toHaveCount(0);
  });
});

test("the layout does not shift when the content of attachments loads", async ({ organization, pair: { ana, ben, project }, open, network }) => {
  const [sound, wide] = (await createProcessedFiles(organization, ana, project, ["mix.wav", "wide.png"])) as [number, number];
  const tall = await upload(ana, project, "tall.png", png(300, 500));
  await waitUntilProcessed(ana, tall);
  await sendFiles(ana, project, [sound, tall], "First");
  await sendFiles(ana, project, [tall, wide], "Second");
  await sendFiles(ana, project, [], "Last");
  const page = await open(ben, "/icon.svg");
  const pausedThumbnails = await network.pause(page, "**/thumbnail");
  await page.goto(`${ben.url}${chat(project.id)}`);
  await expect(message(page, "First")).toBeInViewport();
  // A remounted row requests its thumbnail again, so the number of requests does not matter.
  await expect.poll(() => new Set(pausedThumbnails.urls).size).toBe(2);
  const heights = () =>
    timeline(page)
      .getByRole("listitem")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  const before = await heights();
  await pausedThumbnails.end();
  await expect.poll(() => page.locator("main img").evaluateAll((images) => images.every((image) => (image as HTMLImageElement).naturalWidth > 0))).toBe(true);
  expect(await heights()).toEqual(before);
});
