import type { Page } from "@playwright/test";
import { createMessage } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { dialog, message, rail, stableBox } from "../../fixtures/pages.ts";
import { createPicture, edgeColors } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";

const choose = (page: Page, file: ReturnType<typeof createPicture>) => page.locator("[data-picture]").setInputFiles(file);
const cropDialog = (page: Page) => dialog(page, "Position your picture");
const cropArea = (page: Page) => cropDialog(page).getByRole("application", { name: "Position of the picture" });

test("a picture is cropped with keys and by dragging, and others see it at once; without it they see the initials again", async ({
  pair: { ana, ben, project },
  open,
}) => {
  await createMessage(ana, project.id, "new haircut");
  const benPage = await open(ben, `/projects/${project.id}/chat`);
  await expect(message(benPage, "new haircut")).toBeVisible();
  const seenByBen = message(benPage, "new haircut").locator("img");
  const page = await open(ana, "/settings/profile");
  const shownInRail = rail(page).locator("img");
  await choose(page, createPicture(800, 400));
  await expect(cropArea(page)).toBeFocused();
  await expectAccessible(page);

  await test.step("arrow keys move it, plus and minus zoom", async () => {
    for (let step = 0; step < 6; step += 1) await page.keyboard.press("Shift+ArrowRight");
    const zoom = cropDialog(page).getByRole("slider", { name: "Zoom" });
    await page.keyboard.press("+");
    await expect(zoom).toHaveValue("1.1");
    await page.keyboard.press("-");
    await expect(zoom).toHaveValue("1");
    await cropDialog(page).getByRole("button", { name: "Save picture" }).press("Enter");
    await expect(page.getByText("Picture saved.")).toBeVisible();
    await expect.poll(() => edgeColors(shownInRail)).toBe("red red");
    await expect.poll(() => edgeColors(seenByBen)).toBe("red red");
  });

  await test.step("dragging to the left shows the right side", async () => {
    await choose(page, createPicture(800, 400));
    const box = await stableBox(cropArea(page));
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x - 200, box.y + 100, { steps: 5 });
    await page.mouse.up();
    await cropDialog(page).getByRole("button", { name: "Save picture" }).click();
    await expect.poll(() => edgeColors(shownInRail)).toBe("blue blue");
    await expect.poll(() => edgeColors(seenByBen)).toBe("blue blue");
  });

  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(page.getByText("Picture removed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Upload picture" })).toBeFocused();
  await expect(seenByBen).toHaveCount(0);
  await expect(shownInRail).toHaveCount(0);
});

test("on a phone a picture is zoomed and saved, and what is no picture is refused before it is sent", async ({ pair: { ana }, open }) => {
  const page = await open(ana, "/settings/profile", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await choose(page, { name: "song.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await expect(page.getByText("This file isn't a picture that your browser can open.")).toBeVisible();
  await expect(cropDialog(page)).toHaveCount(0);
  await choose(page, createPicture(300, 600));
  await cropDialog(page).getByRole("slider", { name: "Zoom" }).fill("2");
  await cropDialog(page).getByRole("button", { name: "Save picture" }).tap();
  await expect(page.getByText("Picture saved.")).toBeVisible();
  await expect.poll(() => edgeColors(page.getByRole("main").locator("img").first())).toBe("red blue");
  await page.reload();
  await expect(page.getByRole("button", { name: "Change picture" })).toBeVisible();
});
