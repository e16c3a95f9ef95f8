/** Lists the screenshots of an audio file's page: zoomed in, with a loop, with an older version, and its menus. */
import type { Page } from "@playwright/test";
import { filePath, fullShot, main, type Shot } from "./shot.ts";

const fineWaveform = (page: Page) => main(page).locator('[data-peaks="fine"]');
const soundPath =
  (query: string): Shot["path"] =>
  (scene) =>
    `${filePath("sound")(scene)}?${query}`;
const pressKeys =
  (...names: string[]) =>
  async (page: Page) => {
    await fineWaveform(page).waitFor();
    for (const name of names) await page.keyboard.press(name);
  };

export const REVIEW_SHOTS: Shot[] = [
  fullShot(
    "file-cover",
    (scene) => `/files/${scene.files.single}`,
    (page) => main(page).locator("[data-cover] img"),
  ),
  fullShot("file-close", soundPath("t=8.2"), fineWaveform, { act: pressKeys("+", "+", "+", "+", "+", "+") }),
  fullShot("file-channels", soundPath("t=8.2"), fineWaveform, {
    act: async (page) => {
      await pressKeys("+", "+")(page);
      await page.getByRole("button", { name: "Show channels separately" }).click();
    },
  }),
  fullShot("file-loop", soundPath("t=4"), (page) => page.getByTestId("loop-range"), { act: pressKeys("i", "ArrowRight", "o", "ArrowLeft", ".") }),
  fullShot("file-selection", soundPath("t=4"), (page) => page.getByRole("group", { name: /^Selection / }), {
    act: async (page) => {
      await fineWaveform(page).waitFor();
      const { x, y, width } = (await page.getByTestId("detail-waveform").locator("canvas").boundingBox())!;
      await page.mouse.move(x + width * 0.3, y + 60);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.45, y + 60, { steps: 4 });
      await page.mouse.up();
    },
  }),
  fullShot("file-warnings", soundPath("t=4"), (page) => page.getByRole("dialog", { name: "Warnings" }), {
    act: (page) => page.getByRole("button", { name: /warning/ }).click(),
  }),
  fullShot("file-older-version", soundPath("v=1&t=3"), (page) => page.getByRole("button", { name: "Open version 2" })),
  fullShot("file-version-menu", soundPath("t=3"), (page) => page.getByRole("menuitemradio").last(), {
    act: (page) => page.getByRole("button", { name: /^Version 2 of / }).click(),
  }),
  fullShot("file-time-menu", soundPath("t=3"), (page) => page.getByRole("menuitem", { name: "Set bar 1 here" }), {
    act: (page) => page.getByRole("button", { name: /^Time format/ }).click(),
  }),
];
