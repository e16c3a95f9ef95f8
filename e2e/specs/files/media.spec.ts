import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeVideo } from "../../../server/media/testing/video-file.ts";
import { testSong, encodeAudio } from "../../../server/testing/audio.ts";
import { loadMessages } from "../../fixtures/api.ts";
import { uploadCard, attachFiles, namedFile } from "../../fixtures/attach-files.ts";
import { loadFileInfo, PROCESSING, waitUntilProcessed } from "../../fixtures/files.ts";
import { message, send } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a video in a format that browsers do not play is transcoded, shows its still, and plays", async ({ pair: { ana, project }, open }) => {
  test.slow();
  const folder = mkdtempSync(join(tmpdir(), "talkback-video-"));
  try {
    const path = join(folder, "trailer.mkv");
    await writeVideo(path, { width: 320, height: 180, seconds: 4, format: "matroska", codec: "mpeg4", sound: "opus" });
    const page = await open(ana, `/projects/${project.id}/chat`);
    await attachFiles(page, path);
    await expect(uploadCard(page, "trailer.mkv")).toContainText("Uploaded");
    await send(page, "Picture lock");
    const row = message(page, "Picture lock");
    const play = row.getByRole("button", { name: "Play video trailer.mkv" });
    await expect(play).toBeVisible(PROCESSING);
    await expect(row).toContainText("0:04");
    await expect.poll(() => play.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
    await play.click();
    const video = row.locator("video");
    // Plays the transcoded copy, because no browser plays the original.
    await expect(video).toHaveAttribute("src", /\/compressed$/);
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime), PROCESSING).toBeGreaterThan(0.5);
    expect(await video.evaluate((element: HTMLVideoElement) => [element.videoWidth, element.videoHeight, Math.round(element.duration)])).toEqual([320, 180, 4]);

    // The file's page plays the video too.
    await row.getByRole("link", { name: "trailer.mkv", exact: true }).click();
    await expect(page.getByRole("heading", { name: "trailer.mkv" })).toBeVisible();
    const pageVideo = page.getByRole("main").locator("video");
    // The poster is a single frame, not the sprite sheet.
    await expect(pageVideo).toHaveAttribute("poster", /\/thumbnail$/);
    await pageVideo.evaluate((element: HTMLVideoElement) => void element.play());
    await expect.poll(() => pageVideo.evaluate((element: HTMLVideoElement) => element.currentTime), PROCESSING).toBeGreaterThan(0.3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("files with wrong or truncated content show why they failed, with Run again; their readable audio plays", async ({ pair: { ana, project }, open }) => {
  test.slow();
  const sound = testSong(6);
  const truncate = (buffer: Buffer, fraction: number) => buffer.subarray(0, Math.floor(buffer.length * fraction));
  const [flac, m4a, mp3] = [encodeAudio("flac16", sound, 44_100), encodeAudio("m4a", sound, 44_100), encodeAudio("mp3cbr", sound, 44_100)];
  const page = await open(ana, `/projects/${project.id}/chat`);
  const reasons = {
    "lyrics.wav": "This file isn't valid audio or video.",
    "head.flac": "Nothing could be decoded: the file is damaged, or a form of FLAC that is not supported.",
    "head.m4a": "Nothing could be decoded: the file is damaged, or a form of AAC that is not supported.",
  };
  await attachFiles(
    page,
    namedFile("lyrics.wav", Buffer.from("Lay it down, one more time.\n".repeat(40))),
    namedFile("head.flac", truncate(flac, 0.02)),
    namedFile("head.m4a", truncate(m4a, 0.02)),
    namedFile("half.mp3", truncate(mp3, 0.5)),
  );
  for (const name of [...Object.keys(reasons), "half.mp3"]) await expect(uploadCard(page, name)).toContainText("Uploaded");
  await send(page, "What became of these");
  const row = message(page, "What became of these");
  for (const reason of new Set(Object.values(reasons))) await expect(row.getByText(reason).first()).toBeVisible(PROCESSING);
  await expect(row.getByRole("button", { name: "Run again" })).toHaveCount(3, PROCESSING);
  await expect(row.getByRole("slider", { name: "Position in half.mp3" })).toHaveAttribute("aria-valuemax", "3", PROCESSING);

  // Running again fails in the same way, and the card returns.
  const processResponse = page.waitForResponse((response) => response.url().endsWith("/process"));
  await row.getByRole("button", { name: "Run again" }).first().click();
  await processResponse;
  await expect(row.getByRole("button", { name: "Run again" })).toHaveCount(3, PROCESSING);
  const [attached] = (await loadMessages(ana, project.id)).at(-1)!.attachments;
  await waitUntilProcessed(ana, attached!.id);
  expect((await loadFileInfo(ana, attached!.id)).common["failure"]).toBe(reasons["lyrics.wav"]);
});
