import type { Page, Route } from "@playwright/test";
import { deleteFile } from "../../../contract/operations/files.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { giveStatus, processed, sendFiles, stand, upload } from "../../fixtures/files.ts";
import { png, wav } from "../../fixtures/media.ts";
import { message, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const chat = (projectId: number) => `/projects/${projectId}/chat`;
const main = (page: Page) => page.getByRole("main");

test("a sound that somebody sent is seen with its wave, tempo and status, and plays", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "nightdrive_mix.wav", wav(8));
  await processed(ana, id);
  await giveStatus(ana, project, id, "In review");
  await sendFiles(ana, project, [id], "New bounce");
  const page = await open(ben, chat(project.id));
  const row = message(page, "New bounce");
  await expect(row.getByRole("link", { name: "nightdrive_mix.wav", exact: true })).toHaveAttribute("href", `/files/${id}`);
  await expect(row).toContainText(/\d bpm/);
  await expect(row).toContainText("In review");
  const position = row.getByRole("slider", { name: "Position in nightdrive_mix.wav" });
  await expect(position).toHaveAttribute("aria-valuemax", "8");

  await row.getByRole("button", { name: "Play nightdrive_mix.wav" }).click();
  await expect(row.getByRole("button", { name: "Pause nightdrive_mix.wav" })).toBeVisible();
  await expect(position).not.toHaveAttribute("aria-valuenow", "0");
  await row.getByRole("button", { name: "Pause nightdrive_mix.wav" }).click();
  await position.press("End");
  await expect(position).toHaveAttribute("aria-valuenow", "8");
});

test("one sound plays at a time", async ({ pair: { ana, project }, open }) => {
  const ids = await Promise.all(["verse.wav", "chorus.wav"].map((name) => upload(ana, project, name, wav(6))));
  await Promise.all(ids.map((id) => processed(ana, id)));
  await sendFiles(ana, project, ids, "Two takes");
  const page = await open(ana, chat(project.id));
  await main(page).getByRole("button", { name: "Play verse.wav" }).click();
  await expect(main(page).getByRole("button", { name: "Pause verse.wav" })).toBeVisible();
  await main(page).getByRole("button", { name: "Play chorus.wav" }).click();
  await expect(main(page).getByRole("button", { name: "Pause chorus.wav" })).toBeVisible();
  await expect(main(page).getByRole("button", { name: "Play verse.wav" })).toBeVisible();
});

test("images open in full size and lead on to each other by keys", async ({ pair: { ana, ben, project }, open }) => {
  const ids = await Promise.all([1, 2, 3].map((one) => upload(ana, project, `cover ${one}.png`, png(640, 360 + one, one * 60))));
  await Promise.all(ids.map((id) => processed(ana, id)));
  await sendFiles(ana, project, ids);
  const page = await open(ben, chat(project.id));
  const opener = page.getByRole("button", { name: "View cover 2.png in full size" });
  await opener.click();
  const viewer = page.getByRole("dialog");
  await expect(viewer.getByRole("img", { name: "cover 2.png" })).toBeVisible();
  await expect(viewer).toContainText("2 of 3");
  expect(await viewer.getByRole("img", { name: "cover 2.png" }).evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
    640, 362,
  ]);
  await page.keyboard.press("ArrowRight");
  await expect(viewer.getByRole("img", { name: "cover 3.png" })).toBeVisible();
  await page.keyboard.press("Home");
  await expect(viewer.getByRole("img", { name: "cover 1.png" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(viewer).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test("a document is a card with type and size, and downloads what was sent", async ({ pair: { ana, ben, project }, open }) => {
  const text = "Delivery: 48 kHz, 24 bit.\n".repeat(100);
  const id = await upload(ana, project, "delivery spec.txt", text);
  await processed(ana, id);
  await sendFiles(ana, project, [id]);
  const page = await open(ben, chat(project.id));
  await expect(message(page, "delivery spec.txt")).toContainText("TXT · 2.6 kB");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download delivery spec.txt" }).click()]);
  expect(download.suggestedFilename()).toBe("delivery spec.txt");
  const stream = await download.createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe(text);
});

test("a file that failed says why; who may has it run again, a guest is told only", async ({ house, pair: { ana, project }, newPerson, open }) => {
  const id = await upload(ana, project, "broken.wav", wav(2));
  await processed(ana, id);
  stand(house.service, id, { transcoding_status: "failed", failure: "The file ends in the middle of its sound." });
  await sendFiles(ana, project, [id], "Does this play?");
  const guest = await newPerson("Gus", "guest", [project.id]);
  const theirs = await open(guest, chat(project.id));
  await expect(message(theirs, "Does this play?")).toContainText("The file ends in the middle of its sound.");
  await expect(theirs.getByRole("button", { name: "Run again" })).toHaveCount(0);

  const page = await open(ana, chat(project.id));
  await page.getByRole("button", { name: "Run again" }).click();
  // It is a sound file: this time it works, for both.
  await expect(message(page, "Does this play?").getByRole("slider")).toBeVisible();
  await expect(message(theirs, "Does this play?").getByRole("slider")).toBeVisible();
});

test("a status that somebody sets changes the badge in the other's chat at once", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "nightdrive_mix.wav", wav(2));
  await processed(ana, id);
  await sendFiles(ana, project, [id], "For approval");
  const page = await open(ben, chat(project.id));
  await expect(message(page, "For approval").getByRole("slider")).toBeVisible();
  await expect(message(page, "For approval")).not.toContainText("Approved");
  await giveStatus(ana, project, id, "Approved");
  await expect(message(page, "For approval")).toContainText("Approved");
  await giveStatus(ana, project, id, "Changes requested");
  await expect(message(page, "For approval")).toContainText("Changes requested");
});

test("a status shows on files of every kind, at once", async ({ house, pair: { ana, ben, project }, open }) => {
  const named = { "notes.txt": "Louder.", "cover.png": png(400, 300), "reel.bin": "stands for a film" };
  const ids = await Promise.all(Object.entries(named).map(([name, bytes]) => upload(ana, project, name, bytes)));
  await Promise.all(ids.map((id) => processed(ana, id)));
  stand(house.service, ids[2]!, { kind: "video", duration: 3 });
  for (const [at, id] of ids.entries()) await sendFiles(ana, project, [id], `File ${at}`);
  const page = await open(ben, chat(project.id));
  for (const [at, id] of ids.entries()) {
    await expect(message(page, `File ${at}`)).not.toContainText("Approved");
    await giveStatus(ana, project, id, "Approved");
    await expect(message(page, `File ${at}`)).toContainText("Approved");
  }
  await page.reload();
  for (const at of ids.keys()) await expect(message(page, `File ${at}`)).toContainText("Approved");
});

test("a sound that is sent before it is processed becomes playable in place", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ben, chat(project.id));
  const id = await upload(ana, project, "long take.wav", wav(12));
  await sendFiles(ana, project, [id], "Just bounced");
  const row = message(page, "Just bounced");
  await expect(row).toBeVisible();
  const { height } = (await row.boundingBox())!;
  await expect(row.getByRole("slider", { name: "Position in long take.wav" })).toHaveAttribute("aria-valuemax", "12");
  await expect(row).toContainText("0:12");
  expect((await row.boundingBox())!.height).toBe(height);
});

test("a deleted file leaves its message, live", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "rough.wav", wav(2));
  await sendFiles(ana, project, [id], "Forget this one");
  const page = await open(ben, chat(project.id));
  await expect(message(page, "Forget this one").getByRole("link", { name: "rough.wav", exact: true })).toBeVisible();
  await call(ana, deleteFile, { body: { file_id: id } });
  await expect(message(page, "Forget this one")).toContainText("rough.wav was deleted");
});

test("nothing jumps when what attachments show arrives", async ({ pair: { ana, ben, project }, open }) => {
  const sound = await upload(ana, project, "mix.wav", wav(4));
  const images = await Promise.all([1, 2].map((one) => upload(ana, project, `still ${one}.png`, png(300 * one, 500))));
  await Promise.all([sound, ...images].map((id) => processed(ana, id)));
  await sendFiles(ana, project, [sound, images[0]!], "First");
  await sendFiles(ana, project, images, "Second");
  await sendFiles(ana, project, [], "Last");
  const page = await open(ben, "/");
  const held: Route[] = [];
  let holding = true;
  // A row that is drawn anew asks anew: how often does not matter.
  await page.route("**/thumbnail", (route) => (holding ? void held.push(route) : route.continue()));
  await page.goto(`${ben.url}${chat(project.id)}`);
  await expect(message(page, "First")).toBeInViewport();
  await expect.poll(() => new Set(held.map((route) => route.request().url())).size).toBe(2);
  const heights = () =>
    timeline(page)
      .getByRole("listitem")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  const before = await heights();
  holding = false;
  await Promise.allSettled(held.map((route) => route.continue()));
  await expect.poll(() => page.locator("main img").evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0))).toBe(true);
  expect(await heights()).toEqual(before);
});
