import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { processed, upload } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { expect, test } from "../../fixtures/test.ts";

const CALM = { reducedMotion: "reduce", colorScheme: "dark" } as const;

test("the page of a sound, then the mini player beside another view", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, "mix.wav", wav(8));
  await processed(ana, id);
  const page = await open(ana, `/files/${id}`, CALM);
  await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
  await expectAccessible(page);
  await expectReadable(page);
  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("link", { name: "In chat" }).click();
  await expect(page.getByRole("region", { name: "Player" })).toBeVisible();
  await expectAccessible(page);
});

test("nothing of a file's page sticks out to the side at 320 pixels", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, `${"a very long name of a bounce ".repeat(6)}.wav`, wav(3));
  await processed(ana, id);
  const page = await open(ana, `/files/${id}`, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await expect(page.locator('[data-peaks="fine"]')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
