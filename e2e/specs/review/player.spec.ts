import type { Page } from "@playwright/test";
import { expectAccessible } from "../../fixtures/axe.ts";
import { INFO, miniPlayer, play, position } from "../../fixtures/file-page.ts";
import { infoOf, sendFiles } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { readyFiles } from "../../fixtures/ready-files.ts";

const inChat = (page: Page) => page.getByRole("link", { name: "In chat" });
const inMini = (page: Page, name: string) => miniPlayer(page).getByRole("button", { name });
const slider = (page: Page, name: string) => miniPlayer(page).getByRole("slider", { name: `Position in ${name}` });
/** Starts the sound in the chat and opens the page of another one; a busy machine gets the whole length to do so. */
async function playThenOpen(page: Page, sound: string, other: string): Promise<void> {
  const main = page.getByRole("main");
  await main.getByRole("button", { name: `Play ${sound}` }).click();
  await main.getByRole("slider", { name: `Position in ${sound}` }).press("Home");
  await main.getByRole("link", { name: other, exact: true }).click();
}

test("what plays goes on in other views, one sound at a time; a film plays in the same frame and sounds on elsewhere", async ({
  house,
  pair: { ana, project },
  open,
  network,
}) => {
  const ids = await readyFiles(house, ana, project, ["mix.wav", "first.wav", "film.wav"]);
  const [mix, , film] = ids as [number, number, number];
  await sendFiles(ana, project, ids, "All three");
  const page = await open(ana, "/icon.svg");
  // A sound stands in for a film: what counts here is what its page does with it.
  const json = { ...(await infoOf(ana, film)), file_info: { object: "video_file_info", duration: 20, width: 1280, height: 720 } };
  await network.answer(page, INFO, { json }, { matches: (request) => (request.postDataJSON() as { file_id: number }).file_id === film });
  await page.goto(`${ana.url}/files/${mix}?t=3`);

  await test.step("what plays goes on while its person moves between views", async () => {
    await play(page).click();
    await expect(position(page)).toHaveText(/0:(0[4-9]|1\d)/);
    await expect(miniPlayer(page)).toHaveCount(0);
    await page.keyboard.press("Home");
    await inChat(page).click();
    await expect(inMini(page, "Pause mix.wav")).toBeVisible();
    await expectAccessible(page);
    const here = slider(page, "mix.wav");
    await here.press("Home");
    const before = Number(await here.getAttribute("aria-valuenow"));
    await expect.poll(async () => Number(await here.getAttribute("aria-valuenow"))).toBeGreaterThan(before);
    await here.press("Home");
    await page.getByRole("link", { name: "Settings" }).first().click();
    await expect(inMini(page, "Pause mix.wav")).toBeVisible();
    // The view that comes takes the focus once.
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeFocused();
    await here.press("End");
    await expect(here).toHaveAttribute("aria-valuenow", "20");
    await expect(inMini(page, "Play mix.wav")).toBeVisible();
    await here.press("ArrowLeft");
    await expect(here).toHaveAttribute("aria-valuenow", "15");
    await miniPlayer(page).getByRole("link", { name: "Open mix.wav" }).click();
    await expect(position(page)).toHaveText("0:15.0");
    await expect(miniPlayer(page)).toHaveCount(0);
  });

  await test.step("the mini player is closed by hand", async () => {
    await page.keyboard.press("Home");
    await play(page).click();
    await inChat(page).click();
    await inMini(page, "Close the player").click();
    await expect(miniPlayer(page)).toHaveCount(0);
  });

  await test.step("another sound goes on until this one is played", async () => {
    await playThenOpen(page, "first.wav", "mix.wav");
    await expect(position(page)).toHaveText("0:00.0");
    await page.keyboard.press("2");
    await expect(position(page)).toHaveText("0:04.0");
    await expect(inMini(page, "Pause first.wav")).toBeVisible();
    await play(page).click();
    await expect(miniPlayer(page)).toHaveCount(0);
    await expect(position(page)).toHaveText(/0:(0[4-9]|1\d)/);
  });

  await test.step("a film plays in the same frame, by the same keys, and sounds on elsewhere", async () => {
    await inChat(page).click();
    await playThenOpen(page, "first.wav", "film.wav");
    await expect(page.getByRole("main")).toContainText("1280 × 720");
    await expect(inMini(page, "Pause first.wav")).toBeVisible();
    await page.keyboard.press("2");
    await page.keyboard.press("k");
    const video = page.getByLabel("Video film.wav");
    await expect(video).toBeVisible();
    await expect(miniPlayer(page)).toHaveCount(0);
    await expect(position(page)).toHaveText(/0:(0[4-9]|1\d)/);
    const element = await video.elementHandle();
    await inChat(page).click();
    await expect(inMini(page, "Pause film.wav")).toBeVisible();
    await expect.poll(() => element.evaluate((one) => !(one as HTMLVideoElement).paused && (one as HTMLVideoElement).currentTime > 4)).toBe(true);
    await slider(page, "film.wav").press("Home");
    await miniPlayer(page).getByRole("link", { name: "Open film.wav" }).click();
    await expect(video).toBeVisible();
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.paused)).toBe(false);
  });
});
