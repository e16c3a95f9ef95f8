import { expectAccessible } from "../../fixtures/axe.ts";
import { processed, stand, upload } from "../../fixtures/files.ts";
import { png, wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/test.ts";

const CALM = { reducedMotion: "reduce", colorScheme: "dark" } as const;

test("the page of a sound, then the mini player beside another view", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, "mix.wav", wav(8));
  await processed(ana, id);
  const page = await open(ana, `/files/${id}`, CALM);
  await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("link", { name: "In chat" }).click();
  await expect(page.getByRole("region", { name: "Player" })).toBeVisible();
  await expectAccessible(page);
});

test("a sound that failed, and a picture", async ({ pair: { ana, project }, house, open }) => {
  const [bad, picture] = [await upload(ana, project, "bad.wav", wav(2)), await upload(ana, project, "cover.png", png(300, 200))];
  await Promise.all([processed(ana, bad), processed(ana, picture)]);
  stand(house.service, bad, { transcoding_status: "failed", failure: "The file is cut short." });
  const page = await open(ana, `/files/${bad}`, CALM);
  await expect(page.getByRole("button", { name: "Run again" })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${ana.url}/files/${picture}`);
  await expect(page.getByRole("img", { name: "Picture cover.png" })).toBeVisible();
  await expectAccessible(page);
});

test("nothing of a file's page sticks out to the side at 320 pixels", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, `${"a very long name of a bounce ".repeat(6)}.wav`, wav(3));
  await processed(ana, id);
  const page = await open(ana, `/files/${id}`, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
