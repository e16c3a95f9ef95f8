import type { Locator } from "@playwright/test";
import { encodeAudio, testSong } from "../../../server/testing/audio.ts";
import { attachFiles, namedFile, uploadCard } from "../../fixtures/attach-files.ts";
import { miniPlayer } from "../../fixtures/file-page.ts";
import { entry, filesPath } from "../../fixtures/files-view.ts";
import { PROCESSING } from "../../fixtures/files.ts";
import { singleWithCover } from "../../fixtures/media.ts";
import { message, send } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Waits until the cover inside is drawn, as the square that the service makes of it. */
async function expectCover(container: Locator): Promise<void> {
  const image = container.locator('img[src$="/thumbnail"]').first();
  await expect(image).toBeVisible(PROCESSING);
  await expect.poll(() => image.evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => [naturalWidth, naturalHeight])).toEqual([320, 320]);
  const { width, height } = (await image.boundingBox())!;
  expect(width).toBeGreaterThanOrEqual(32);
  // A tile crops it.
  expect(height).toBeLessThanOrEqual(width);
}

test("the cover of a song is in its message, the list, the player, its page and the system's media controls; a song without one looks as before", async ({
  pair: { ana, project },
  open,
}) => {
  test.slow();
  const song = encodeAudio("mp3cbr", testSong(12), 44_100);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await attachFiles(page, namedFile("single.mp3", singleWithCover()), namedFile("plain.mp3", song));
  for (const name of ["single.mp3", "plain.mp3"]) await expect(uploadCard(page, name)).toContainText("Uploaded");
  await send(page, "With artwork");
  const row = message(page, "With artwork");
  await expectCover(row);
  await expect(row.locator('img[src$="/thumbnail"]')).toHaveCount(1);

  await row.getByRole("button", { name: "Play single.mp3" }).click();
  const metadata = () =>
    page.evaluate(() => {
      const shown = navigator.mediaSession.metadata;
      return shown && { title: shown.title, artist: shown.artist, album: shown.album, artwork: shown.artwork.map(({ src, sizes }) => [src, sizes]) };
    });
  await expect.poll(metadata).toEqual({
    title: "Nightdrive",
    artist: "Halden, Mara Lind",
    album: "Nightdrive EP",
    artwork: [[expect.stringMatching(/\/versions\/1\/thumbnail$/), "320x320"]],
  });
  await expectCover(miniPlayer(page));

  await page.goto(ana.url + filesPath(project));
  await page.getByRole("treegrid", { name: "Folders" }).getByRole("row", { name: "Chat", exact: true }).click();
  await expectCover(entry(page, "single.mp3"));
  await expect(entry(page, "plain.mp3").locator("img")).toHaveCount(0);
  await entry(page, "single.mp3").hover();
  await entry(page, "single.mp3").getByRole("button", { name: "Play single.mp3" }).click();
  await expectCover(miniPlayer(page));
  await page.getByRole("button", { name: "Grid view" }).click();
  await expectCover(entry(page, "single.mp3"));

  await entry(page, "single.mp3").getByRole("link", { name: "single.mp3" }).click();
  await expect(page.getByRole("heading", { name: "single.mp3" })).toBeVisible();
  await expectCover(page.getByRole("main").locator("header").first());
});
