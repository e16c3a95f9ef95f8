/** The page of a sound in depth: closer, with a loop, an older version, its menus. */
import type { Page } from "@playwright/test";
import { file, full, main, type Shot } from "./shot.ts";

const stands = (page: Page) => main(page).locator('[data-peaks="fine"]');
const at =
  (query: string): Shot["path"] =>
  (scene) =>
    `${file("sound")(scene)}?${query}`;
const keys =
  (...names: string[]) =>
  async (page: Page) => {
    await stands(page).waitFor();
    for (const name of names) await page.keyboard.press(name);
  };

export const REVIEW_SHOTS: Shot[] = [
  full("file-close", at("t=8.2"), stands, { act: keys("+", "+", "+", "+", "+", "+") }),
  full("file-channels", at("t=8.2"), stands, {
    act: async (page) => {
      await keys("+", "+")(page);
      await page.getByRole("button", { name: "Show each channel" }).click();
    },
  }),
  full("file-loop", at("t=4"), (page) => page.getByTestId("loop-range"), { act: keys("i", "ArrowRight", "o", "ArrowLeft", ".") }),
  full("file-older-version", at("v=1&t=3"), (page) => page.getByRole("button", { name: "Open version 2" })),
  full("file-version-menu", at("t=3"), (page) => page.getByRole("menuitemradio").last(), {
    act: (page) => page.getByRole("button", { name: /^Version 2 of / }).click(),
  }),
  full("file-time-menu", at("t=3"), (page) => page.getByRole("menuitem", { name: "Bar 1 begins here" }), {
    act: (page) => page.getByRole("button", { name: /^Time shown as/ }).click(),
  }),
];
