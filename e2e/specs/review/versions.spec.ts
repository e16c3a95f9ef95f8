import { timeoutFactor } from "../../../playwright.config.ts";
import { exposeMediaElement } from "../../fixtures/detail-waveform.ts";
import { FILE_INFO_URL, miniPlayer, playButton, playbackPosition } from "../../fixtures/file-page.ts";
import { uploadVersion } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { railProject } from "../../fixtures/pages.ts";
import { createProcessedFile, createProcessedVersion } from "../../fixtures/processed-files.ts";

test("versions are compared at the same position, with loop and speed preserved, and an expired media URL is refetched without stopping playback", async ({
  organization,
  pair: { ana, project },
  open,
  network,
  pageErrors,
}) => {
  pageErrors.allow(statusError(404));
  const id = await createProcessedFile(organization, ana, project, "mix.wav");
  createProcessedVersion(organization, id);
  const page = await open(ana, "/icon.svg");
  const media = () =>
    page.evaluate(() => {
      const { sound: element } = window as unknown as { sound: HTMLAudioElement };
      return { src: element.src, paused: element.paused, time: element.currentTime, rate: element.playbackRate };
    });
  // Simulates expiring media URLs: each response contains a different one.
  const interception = await network.patchResponse(page, FILE_INFO_URL, (response) => {
    const { common, ...rest } = response as { common: { compressed_file_url: string } };
    return { ...rest, common: { ...common, compressed_file_url: `${common.compressed_file_url}?response=${interception.urls.length}` } };
  });
  await page.goto(`${ana.url}/files/${id}?t=2`);
  await expect(playbackPosition(page)).toHaveText("0:02.0");
  await exposeMediaElement(page);
  await playButton(page).click();
  await expect(playbackPosition(page)).toHaveText(/0:(0[2-9]|1\d)/);
  await page.getByRole("button", { name: "Version 2 of mix.wav" }).click();
  await page.getByRole("menuitemradio", { name: /^Version 1/ }).click();
  await expect(page).toHaveURL(/[?&]v=1/);
  await expect(page.getByRole("main")).toContainText("Version 2 is the newest.");
  await expect
    .poll(async () => {
      const { src, paused, time } = await media();
      return src.includes("/versions/1/") && !paused && time > 2;
    })
    .toBe(true);
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();

  await page.keyboard.press("k");
  await expect(playButton(page)).toBeVisible();
  await page.getByRole("button", { name: "Speed: 1.0×" }).click();
  await page
    .getByRole("menuitemradio", { name: "2×" })
    .or(page.getByRole("menuitemradio", { name: "2.0×" }))
    .click();
  await expect(page.getByRole("menuitemradio")).toHaveCount(0);
  await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
  const ruler = (await page.getByTestId("detail-waveform").boundingBox())!;
  await page.mouse.move(ruler.x + ruler.width * 0.25, ruler.y + 12);
  await page.mouse.down();
  await page.mouse.move(ruler.x + ruler.width * 0.3, ruler.y + 12, { steps: 4 });
  await page.mouse.up();
  const loop = page.getByRole("button", { name: /^Loop \d/ });
  await expect(loop).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("k");
  const [start, end] = /Loop 0:(\S+) to 0:(\S+)/
    .exec((await loop.getAttribute("aria-label"))!)!
    .slice(1)
    .map(Number) as [number, number];
  // The loop continues on another page, at the chosen speed.
  await railProject(page, project.name).click();
  await expect(miniPlayer(page)).toBeVisible();
  let loopCount = 0;
  let previousTime = 0;
  await expect
    .poll(async () => {
      // A busy page detects the loop's end only with its next frame, so the time is read in a frame.
      const { time, rate } = await page.evaluate(async () => {
        for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
        const { sound: element } = window as unknown as { sound: HTMLAudioElement };
        return { time: element.currentTime, rate: element.playbackRate };
      });
      expect([rate, time > start - 0.2, time < end + 1.5 * timeoutFactor]).toEqual([2, true, true]);
      if (time < previousTime) loopCount += 1;
      previousTime = time;
      return loopCount;
    })
    .toBeGreaterThan(1);
  await page.goBack();
  await expect(loop).toBeVisible();

  const requestCount = interception.urls.length;
  // Simulates the media error of an expired URL.
  await page.evaluate(() => void ((window as unknown as { sound: HTMLAudioElement }).sound.src = "/api/v2/media/expired"));
  await expect.poll(async () => Number(/versions\/1\/compressed\?response=(\d+)$/.exec((await media()).src)?.[1])).toBeGreaterThan(requestCount);
  await expect.poll(async () => ((await media()).paused ? 0 : (await media()).time)).toBeGreaterThan(start - 0.2);
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("button", { name: "Clear loop" }).click();

  // A newly uploaded version is offered without interrupting the current one.
  await page.getByRole("main").getByRole("button", { name: "Open version 2" }).click();
  await expect.poll(async () => (await media()).src).toContain("/versions/2/");
  await uploadVersion(ana, id, wav(1));
  await expect(page.getByRole("main")).toContainText("Version 3 was uploaded.");
  expect((await media()).src).toContain("/versions/2/");
});
