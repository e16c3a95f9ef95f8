import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import type { Project } from "../../../contract/records.ts";
import { writeVideo } from "../../../server/media/testing/video-file.ts";
import type { Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { commentField, commentRow, createComment, loadComments, resolveComment } from "../../fixtures/comments.ts";
import { detailWaveform } from "../../fixtures/detail-waveform.ts";
import { playButton, playbackPosition } from "../../fixtures/file-page.ts";
import { upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { stableBox } from "../../fixtures/pages.ts";
import { createProcessedFile, createProcessedVersion } from "../../fixtures/processed-files.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Length of the processed sound. */
const SECONDS = 20;
const VIDEO_SECONDS = 4;
const selection = (page: Page): Locator => page.getByRole("group", { name: /^Selection / });
const canvas = (page: Page): Locator => detailWaveform(page).locator("canvas");

/** Drags over the waveform between two times and returns the exact times under the pointer. */
async function dragOver(page: Page, from: number, to: number): Promise<[from: number, to: number]> {
  const { x, y, width, height } = await stableBox(canvas(page));
  const [startX, endX] = [from, to].map((seconds) => Math.round(x + (seconds / SECONDS) * width)) as [number, number];
  await page.mouse.move(startX, y + height / 2);
  await page.mouse.down();
  await page.mouse.move((startX + endX) / 2, y + height / 2);
  await page.mouse.move(endX, y + height / 2);
  await page.mouse.up();
  return [((startX - x) / width) * SECONDS, ((endX - x) / width) * SECONDS];
}

async function uploadVideo(person: Person, project: Project): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "talkback-video-"));
  try {
    const path = join(folder, "clip");
    await writeVideo(path, { width: 640, height: 360, seconds: VIDEO_SECONDS, format: "webm", codec: "libvpx", sound: "opus" });
    const id = await upload(person, project, "clip.webm", await readFile(path));
    await waitUntilProcessed(person, id);
    return id;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeComments(person: Person, fileId: number, count: number, seconds = SECONDS): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await createComment(person, fileId, `Comment number ${index}`, {
      startSeconds: (index * seconds) / count,
      ...(index === 3 ? { endSeconds: ((index + 2) * seconds) / count } : {}),
    });
}

test("a part selected by dragging has exact times, loops, plays and becomes the range of a comment", async ({ organization, pair: { ana, project }, open }) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  const page = await open(ana, `/files/${id}`);
  await expect(page.locator('[data-peaks="fine"]')).toBeVisible();

  await test.step("the page opens fitted, and a line shows the time under the pointer", async () => {
    await expect(page.getByRole("button", { name: "Fit whole file" })).toBeDisabled();
    const { x, y, width } = await stableBox(canvas(page));
    await page.mouse.move(x + width * 0.75, y + 20);
    await expect(detailWaveform(page).getByTestId("hover-line")).toHaveText(/0:1(4\.9|5\.0)/);
  });

  const [from, to] = await dragOver(page, 6, 9);
  await expect(selection(page)).toHaveAccessibleName(/^Selection 0:0[56]\.\d to 0:0[89]\.\d$/);
  // A selection neither seeks nor loops by itself.
  await expect(playbackPosition(page)).toHaveText("0:00.0");
  await expect(selection(page).getByRole("button", { name: "Loop" })).toHaveAttribute("aria-pressed", "false");
  await expectAccessible(page);

  await test.step("Loop turns the loop on and goes into it", async () => {
    await selection(page).getByRole("button", { name: "Loop" }).click();
    await expect(selection(page).getByRole("button", { name: "Loop" })).toHaveAttribute("aria-pressed", "true");
    await expect(playbackPosition(page)).toHaveText(/0:0(5\.9|6\.0)/);
    await selection(page).getByRole("button", { name: "Loop" }).click();
  });

  await test.step("Comment opens the composer with the range, to the millisecond", async () => {
    await selection(page).getByRole("button", { name: "Comment" }).click();
    await expect(commentField(page)).toBeFocused();
    await page.keyboard.type("The bass is hot here");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await loadComments(ana, id)).length).toBe(1);
    const [comment] = await loadComments(ana, id);
    expect(Math.abs(comment!.position_ms! - from * 1_000)).toBeLessThanOrEqual(1);
    expect(Math.abs(comment!.end_ms! - to * 1_000)).toBeLessThanOrEqual(1);
  });

  await test.step("M comments on the selection while it is in view", async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("m");
    await expect(page.getByRole("textbox", { name: /^Comment from 0:0[56]\.\d to 0:0[89]\.\d$/ })).toBeFocused();
  });

  await test.step("Shift with a drag pans instead, and × or Escape clears the selection", async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("+");
    await expect(page.getByRole("button", { name: "Fit whole file" })).toBeEnabled();
    const before = await selection(page).getByTestId("selection-times").textContent();
    await page.keyboard.down("Shift");
    await dragOver(page, 12, 10);
    await page.keyboard.up("Shift");
    await page.getByRole("button", { name: "Fit whole file" }).click();
    await expect(selection(page).getByTestId("selection-times")).toHaveText(before!);
    await selection(page).getByRole("button", { name: "Clear selection" }).click();
    await expect(selection(page)).toHaveCount(0);
    await expect(page.getByRole("slider", { name: /^Position in/ })).toBeFocused();
    await dragOver(page, 6, 9);
    await selection(page).getByRole("button", { name: "Loop" }).focus();
    await page.keyboard.press("Escape");
    await expect(selection(page)).toHaveCount(0);
    await expect(page.getByRole("slider", { name: /^Position in/ })).toBeFocused();
  });
});

test("with thirty comments the stage stays while they scroll, and the overview marks all of them", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  await writeComments(ben, id, 30);
  await resolveComment(ben, (await loadComments(ben, id))[29]!);
  const page = await open(ana, `/files/${id}?comments=all`);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await commentRow(page, "Comment number 29").scrollIntoViewIfNeeded();
  await expect(commentRow(page, "Comment number 29")).toBeInViewport();
  await expect(playButton(page)).toBeInViewport({ ratio: 1 });
  await expect(canvas(page)).toBeInViewport({ ratio: 1 });
  await expect(commentField(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("heading", { name: "AI tags" })).toBeInViewport();
  // Every comment has a tick of its own at this width, the resolved one included.
  await expect(page.getByTestId("comment-ticks").getByRole("button", { includeHidden: true })).toHaveCount(30);
  await page
    .getByTestId("comment-ticks")
    .getByTitle(/Comment number 3$/)
    .click();
  await expect(playbackPosition(page)).toHaveText("0:02.0");
  await expect(commentRow(page, /Comment number 3$/)).toBeInViewport();
  await expectAccessible(page);

  await test.step("in a low window the stage leaves room, and in a very low one the compact player replaces it", async () => {
    await page.setViewportSize({ width: 1_280, height: 600 });
    await commentRow(page, "Comment number 29").scrollIntoViewIfNeeded();
    await expect(playButton(page)).toBeInViewport({ ratio: 1 });
    await expect(commentRow(page, "Comment number 29")).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 720, height: 450 });
    await commentRow(page, "Comment number 29").scrollIntoViewIfNeeded();
    await expect(page.getByRole("group", { name: "Player of mix.wav" })).toBeInViewport({ ratio: 1 });
    await expect(commentRow(page, "Comment number 29")).toBeInViewport({ ratio: 1 });
  });
});

test("on a phone a long press selects, the compact player stays, and a vertical swipe scrolls", async ({ organization, pair: { ana, project }, open }) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  await writeComments(ana, id, 12);
  const page = await open(ana, `/files/${id}`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  const { x, y, width, height } = await stableBox(canvas(page));
  const xAt = (seconds: number) => x + (seconds / SECONDS) * width;

  await touch("touchStart", xAt(6), y + height / 2);
  await expect(selection(page)).toBeVisible();
  await touch("touchMove", xAt(8), y + height / 2 + 12);
  await touch("touchMove", xAt(9), y + height / 2 + 30);
  await touch("touchEnd");
  await expect(selection(page)).toHaveAccessibleName(/^Selection 0:0(5\.9|6\.0) to 0:0(8\.9|9\.0)$/);
  // The selected part stays visible.
  expect((await stableBox(selection(page))).y).toBeGreaterThanOrEqual(y + height);
  await page.setViewportSize({ width: 320, height: 720 });
  for (const name of ["Play selection", "Loop", "Comment", "Clear selection"])
    await expect(selection(page).getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await selection(page).getByRole("button", { name: "Clear selection" }).tap();

  await test.step("the button selects at the playhead, for those who do not know the gesture", async () => {
    await page.getByRole("button", { name: "Select a range" }).tap();
    await expect(selection(page)).toHaveAccessibleName("Selection 0:00.0 to 0:03.0");
    await selection(page).getByRole("button", { name: "Comment" }).tap();
    await expect(page.getByRole("textbox", { name: /^Comment from 0:00.0 to 0:03.0/ })).toBeFocused();
  });

  await commentRow(page, "Comment number 11").scrollIntoViewIfNeeded();
  const compact = page.getByRole("group", { name: "Player of mix.wav" });
  await expect(compact).toBeInViewport({ ratio: 1 });
  await compact.getByRole("button", { name: "Play mix.wav" }).tap();
  await expect(compact.getByRole("button", { name: "Pause mix.wav" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(compact.getByRole("button", { name: "Play mix.wav" })).toBeVisible();
  await expectAccessible(page);
});

test("comments stand beside a video and an image, with the field in view, and the waveform of a video can be opened", async ({
  organization,
  pair: { ana, project },
  open,
}) => {
  const ids = { video: await uploadVideo(ana, project), image: await createProcessedFile(organization, ana, project, "cover.png") };
  await writeComments(ana, ids.video, 30, VIDEO_SECONDS);
  const page = await open(ana, `/files/${ids.video}`);
  await page.setViewportSize({ width: 1_440, height: 900 });
  const play = playButton(page);
  await expect(play).toBeInViewport({ ratio: 1 });
  await expect(commentField(page)).toBeInViewport({ ratio: 1 });
  // The column is too narrow for the hint about the key.
  await expect(commentField(page)).toHaveAttribute("placeholder", "Write a comment");
  await expect(detailWaveform(page)).toHaveCount(0);
  await commentRow(page, "Comment number 29").scrollIntoViewIfNeeded();
  await expect(commentField(page)).toBeInViewport({ ratio: 1 });
  await expect(play).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.getByRole("button", { name: "Waveform" }).click();
  await expect(detailWaveform(page)).toBeVisible();
  await page.getByRole("button", { name: "Waveform" }).click();

  await page.goto(`${ana.url}/files/${ids.image}`);
  const picture = await stableBox(page.getByRole("img", { name: "Image cover.png" }));
  const field = await stableBox(commentField(page));
  expect(field.x).toBeGreaterThan(picture.x + picture.width);
  await expect(commentField(page)).toBeInViewport({ ratio: 1 });
});

test("Back returns to the version shown before", async ({ organization, pair: { ana, project }, open }) => {
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  createProcessedVersion(organization, id);
  const page = await open(ana, `/files/${id}`);
  await page.getByRole("button", { name: "Version 2 of mix.wav" }).click();
  await page.getByRole("menuitemradio", { name: /^Version 1/ }).click();
  await expect(page.getByRole("button", { name: "Version 1 of mix.wav" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("button", { name: "Version 2 of mix.wav" })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("button", { name: "Version 1 of mix.wav" })).toBeVisible();
});
