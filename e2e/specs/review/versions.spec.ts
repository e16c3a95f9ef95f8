import type { FileInfoAnswer } from "../../../contract/records.ts";
import { INFO, miniPlayer, play, position, sound } from "../../fixtures/file-page.ts";
import { infoOf, processed, sendFiles, uploadVersion } from "../../fixtures/files.ts";
import { answered } from "../../fixtures/guard.ts";
import { keepSound } from "../../fixtures/lane.ts";
import { wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a film plays in the same frame, by the same keys, and sounds on elsewhere; only one thing sounds at a time", async ({ pair: { ana, project }, open }) => {
  const [first, film] = [await sound(ana, project, "first.wav", 40), await sound(ana, project, "film.wav", 30)];
  await sendFiles(ana, project, [first, film], "Both");
  const info = await infoOf(ana, film);
  const page = await open(ana, `/projects/${project.id}/chat`);
  // The sound stands in for a film: what counts here is what its page does with it.
  await page.route(INFO, (route) =>
    (route.request().postDataJSON() as { file_id: number }).file_id === film
      ? route.fulfill({ json: { ...info, file_info: { object: "video_file_info", duration: 30, width: 1280, height: 720 } } })
      : route.continue(),
  );
  await page.getByRole("main").getByRole("button", { name: "Play first.wav" }).click();
  await page.getByRole("main").getByRole("link", { name: "film.wav", exact: true }).click();
  await expect(page.getByRole("main")).toContainText("1280 × 720");
  await expect(miniPlayer(page).getByRole("button", { name: "Pause first.wav" })).toBeVisible();
  await page.keyboard.press("5");
  await page.keyboard.press("k");
  const video = page.getByLabel("Video film.wav");
  await expect(video).toBeVisible();
  await expect(miniPlayer(page)).toHaveCount(0);
  await expect(position(page)).toHaveText(/0:1[5-9]/);
  const element = await video.elementHandle();
  await page.getByRole("link", { name: "In chat" }).click();
  await expect(miniPlayer(page).getByRole("button", { name: "Pause film.wav" })).toBeVisible();
  await expect.poll(() => element.evaluate((one) => !(one as HTMLVideoElement).paused && (one as HTMLVideoElement).currentTime > 15)).toBe(true);
  await miniPlayer(page).getByRole("link", { name: "Open film.wav" }).click();
  await expect(video).toBeVisible();
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.paused)).toBe(false);
});

test("versions are heard beside each other at the same place, loop and speed hold, and an address that ends is renewed without a stop", async ({
  pair: { ana, project },
  open,
  guard,
}) => {
  guard.allow(answered(404));
  const id = await sound(ana, project, "mix.wav", 30);
  const newVersion = async () => {
    await uploadVersion(ana, id, wav(24));
    await processed(ana, id);
  };
  await newVersion();
  const page = await open(ana, "/settings/profile");
  await keepSound(page);
  const media = () =>
    page.evaluate(() => {
      const { sound: one } = window as unknown as { sound: HTMLAudioElement };
      return { src: one.src, paused: one.paused, at: one.currentTime, rate: one.playbackRate };
    });
  // As of a service whose addresses end: each answer has another one.
  let asked = 0;
  await page.route(INFO, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as FileInfoAnswer;
    asked += 1;
    await route.fulfill({ json: { ...json, common: { ...json.common, compressed_file_url: `${json.common.compressed_file_url}?answer=${asked}` } } });
  });
  await page.goto(`${ana.url}/files/${id}?t=12`);
  await play(page).click();
  await expect(position(page)).toHaveText(/0:1[2-9]/);
  await page.getByRole("button", { name: "Version 2 of mix.wav" }).click();
  await page.getByRole("menuitemradio", { name: /^Version 1/ }).click();
  await expect(page).toHaveURL(/[?&]v=1/);
  await expect(page.getByRole("main")).toContainText("Version 2 is the newest.");
  await expect
    .poll(async () => {
      const { src, paused, at } = await media();
      return src.includes("/versions/1/") && !paused && at > 12;
    })
    .toBe(true);
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Speed: 1.0×" }).click();
  await page
    .getByRole("menuitemradio", { name: "2×" })
    .or(page.getByRole("menuitemradio", { name: "2.0×" }))
    .click();
  await page.keyboard.press("k");
  const ruler = (await page.getByTestId("detail-lane").boundingBox())!;
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
  // On another page too it goes round, at its speed.
  await page.getByRole("link", { name: "In chat" }).click();
  await expect(miniPlayer(page)).toBeVisible();
  let times = 0;
  let before = 0;
  await expect
    .poll(async () => {
      const { at, rate } = await media();
      // A page that is busy notices the end a little later.
      expect([rate, at > start - 0.2, at < end + 1.5]).toEqual([2, true, true]);
      if (at < before) times += 1;
      before = at;
      return times;
    })
    .toBeGreaterThan(1);
  await page.goBack();
  await expect(loop).toBeVisible();
  await page.getByRole("button", { name: "Clear the loop" }).click();

  const renewed = asked;
  // What a browser does when the next bytes are refused.
  await page.evaluate(() => void ((window as unknown as { sound: HTMLAudioElement }).sound.src = "/api/v2/media/expired"));
  await expect.poll(async () => (await media()).src).toMatch(new RegExp(`versions/1/compressed\\?answer=${renewed + 1}$`));
  await expect.poll(async () => ((await media()).paused ? 0 : (await media()).at)).toBeGreaterThan(start - 0.2);
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);

  // A version that comes meanwhile is offered, and takes nothing away.
  await page.getByRole("main").getByRole("button", { name: "Open version 2" }).click();
  await expect.poll(async () => (await media()).src).toContain("/versions/2/");
  await newVersion();
  await expect(page.getByRole("main")).toContainText("Version 3 was uploaded.");
  expect((await media()).src).toContain("/versions/2/");
});
