import type { Page } from "@playwright/test";
import { expectAccessible } from "../../fixtures/axe.ts";
import { FILE_INFO_URL, miniPlayer, playButton, playbackPosition } from "../../fixtures/file-page.ts";
import { loadFileInfo, sendFiles } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { composer } from "../../fixtures/pages.ts";
import { createProcessedFiles } from "../../fixtures/processed-files.ts";
import { delayRendering } from "../../fixtures/rendering.ts";

const chatLink = (page: Page) => page.getByRole("link", { name: "In chat" });
const miniPlayerButton = (page: Page, name: string) => miniPlayer(page).getByRole("button", { name });
const miniPlayerSlider = (page: Page, name: string) => miniPlayer(page).getByRole("slider", { name: `Position in ${name}` });
/** Starts a sound in the chat and opens another file's page; playback starts at the beginning to leave a busy machine enough time. */
async function playThenOpen(page: Page, sound: string, other: string): Promise<void> {
  const main = page.getByRole("main");
  await main.getByRole("button", { name: `Play ${sound}` }).click();
  await main.getByRole("slider", { name: `Position in ${sound}` }).press("Home");
  await main.getByRole("link", { name: other, exact: true }).click();
}

test("playback continues in other views, one track at a time; a video plays in its frame and continues as audio elsewhere", async ({
  organization,
  pair: { ana, project },
  open,
  network,
}) => {
  const ids = await createProcessedFiles(organization, ana, project, ["mix.wav", "first.wav", "film.wav"]);
  const [mix, , videoId] = ids as [number, number, number];
  await sendFiles(ana, project, ids, "All three");
  const page = await open(ana, "/icon.svg");
  // Uses a sound in place of a video, because only the behavior of the video's page matters here.
  const json = { ...(await loadFileInfo(ana, videoId)), file_info: { object: "video_file_info", duration: 20, width: 1280, height: 720 } };
  await network.reply(page, FILE_INFO_URL, { json }, { matches: (request) => (request.postDataJSON() as { file_id: number }).file_id === videoId });
  await page.goto(`${ana.url}/files/${mix}?t=3`);

  await test.step("playback continues when the user moves between views", async () => {
    await playButton(page).click();
    await expect(playbackPosition(page)).toHaveText(/0:(0[4-9]|1\d)/);
    await expect(miniPlayer(page)).toHaveCount(0);
    await page.keyboard.press("Home");
    await chatLink(page).click();
    // Paused, because the sound may end during the scan.
    await miniPlayerButton(page, "Pause mix.wav").click();
    await expectAccessible(page);
    await miniPlayerButton(page, "Play mix.wav").click();
    const positionSlider = miniPlayerSlider(page, "mix.wav");
    await positionSlider.press("Home");
    const before = Number(await positionSlider.getAttribute("aria-valuenow"));
    await expect.poll(async () => Number(await positionSlider.getAttribute("aria-valuenow"))).toBeGreaterThan(before);
    await positionSlider.press("Home");
    await page.getByRole("link", { name: "Settings" }).first().click();
    await expect(miniPlayerButton(page, "Pause mix.wav")).toBeVisible();
    // The new view takes the focus once.
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeFocused();
    await positionSlider.press("End");
    await expect(positionSlider).toHaveAttribute("aria-valuenow", "20");
    await expect(miniPlayerButton(page, "Play mix.wav")).toBeVisible();
    await positionSlider.press("ArrowLeft");
    await expect(positionSlider).toHaveAttribute("aria-valuenow", "15");
    await miniPlayer(page).getByRole("link", { name: "Open mix.wav" }).click();
    await expect(playbackPosition(page)).toHaveText("0:15.0");
    await expect(miniPlayer(page)).toHaveCount(0);
  });

  await test.step("the mini player can be closed", async () => {
    await page.keyboard.press("Home");
    await playButton(page).click();
    await chatLink(page).click();
    await miniPlayerButton(page, "Close player").click();
    await expect(miniPlayer(page)).toHaveCount(0);
  });

  await test.step("another track continues until this one is played", async () => {
    await playThenOpen(page, "first.wav", "mix.wav");
    await expect(playbackPosition(page)).toHaveText("0:00.0");
    await page.keyboard.press("2");
    await expect(playbackPosition(page)).toHaveText("0:04.0");
    await expect(miniPlayerButton(page, "Pause first.wav")).toBeVisible();
    await playButton(page).click();
    await expect(miniPlayer(page)).toHaveCount(0);
    await expect(playbackPosition(page)).toHaveText(/0:(0[4-9]|1\d)/);
  });

  await test.step("a video plays in its frame with the same keys, and continues as audio elsewhere", async () => {
    await chatLink(page).click();
    await playThenOpen(page, "first.wav", "film.wav");
    await expect(page.getByRole("main")).toContainText("1280 × 720");
    await expect(miniPlayerButton(page, "Pause first.wav")).toBeVisible();
    await page.keyboard.press("2");
    await page.keyboard.press("k");
    const video = page.getByLabel("Video film.wav");
    await expect(video).toBeVisible();
    await expect(miniPlayer(page)).toHaveCount(0);
    await expect(playbackPosition(page)).toHaveText(/0:(0[4-9]|1\d)/);
    const element = await video.elementHandle();
    await chatLink(page).click();
    await expect(miniPlayerButton(page, "Pause film.wav")).toBeVisible();
    await expect.poll(() => element.evaluate((media) => !(media as HTMLVideoElement).paused && (media as HTMLVideoElement).currentTime > 4)).toBe(true);
    await miniPlayerSlider(page, "film.wav").press("Home");
    await miniPlayer(page).getByRole("link", { name: "Open film.wav" }).click();
    await expect(video).toBeVisible();
    await expect.poll(() => video.evaluate((media: HTMLVideoElement) => media.paused)).toBe(false);
  });
});

test("a link that is clicked right after a seek leads to its page, also before React has rendered the navigation", async ({
  organization,
  pair: { ana, project },
  open,
  network,
}) => {
  const [mix] = (await createProcessedFiles(organization, ana, project, ["mix.wav"])) as [number];
  await sendFiles(ana, project, [mix], "The mix");
  const page = await open(ana, "/icon.svg");
  await page.clock.install();
  await page.goto(`${ana.url}/files/${mix}`);
  await expect(playbackPosition(page)).toHaveText("0:00.0");
  const chatModule = await network.pause(page, /\/ChatPage-.+\.js/);
  // The position is written to the URL half a second after a seek.
  const seekThenOpenChat = async (whileLoading: () => Promise<void>) => {
    await page.keyboard.press("ArrowRight");
    await expect(playbackPosition(page)).not.toHaveText("0:00.0");
    const rendering = await delayRendering(page);
    await chatLink(page).click();
    await whileLoading();
    await page.clock.fastForward(600);
    await rendering.release();
  };

  await test.step("the link leads to its page although the position is due while the page's code loads", async () => {
    await seekThenOpenChat(() => expect.poll(() => chatModule.urls.length).toBe(1));
    await chatModule.end();
    await expect(page).toHaveURL(/\/chat\/\d+$/);
    await expect(composer(page)).toBeVisible();
  });

  await test.step("the link leads to its page although the position is due when the router is already there", async () => {
    await page.goBack();
    await expect(playbackPosition(page)).toBeVisible();
    await seekThenOpenChat(() => expect(page).toHaveURL(/\/chat\/\d+$/));
    await expect(composer(page)).toBeVisible();
    await expect(page).toHaveURL(/\/chat\/\d+$/);
  });
});

test("a seek made while the former position is written to the URL is not undone, and a reload returns to the URL's position", async ({
  organization,
  pair: { ana, project },
  open,
}) => {
  const [mix] = (await createProcessedFiles(organization, ana, project, ["mix.wav"])) as [number];
  await sendFiles(ana, project, [mix], "The mix");
  const page = await open(ana, "/icon.svg");
  await page.clock.install();
  await page.goto(`${ana.url}/files/${mix}`);
  await expect(playbackPosition(page)).toHaveText("0:00.0");
  await page.keyboard.press("ArrowRight");
  await expect(playbackPosition(page)).toHaveText("0:05.0");
  const rendering = await delayRendering(page);
  await page.clock.fastForward(600);
  await expect(page).toHaveURL(/\?t=5\.0$/);
  await page.keyboard.press("Home");
  await expect(playbackPosition(page)).toHaveText("0:00.0");
  await rendering.release();
  await page.clock.fastForward(600);
  await expect(page).toHaveURL(/\?t=0\.0$/);
  await expect(playbackPosition(page)).toHaveText("0:00.0");

  await page.keyboard.press("ArrowRight");
  await page.clock.fastForward(600);
  await expect(page).toHaveURL(/\?t=5\.0$/);
  await page.reload();
  await expect(playbackPosition(page)).toHaveText("0:05.0");
});
