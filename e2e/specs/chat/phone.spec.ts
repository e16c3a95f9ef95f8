/** The chat on a phone: touch instead of a pointer, and a viewport that the keyboard shrinks. */
import { createMessage } from "../../fixtures/api.ts";
import { uploadCard, attachFiles, randomFile, uploadTray } from "../../fixtures/attach-files.ts";
import { importMessages, longHistory } from "../../fixtures/message-history.ts";
import { actions, composer, message, stableBox, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a long press opens the message menu, the last message stays visible beside composer and keyboard, and nothing covers an edit form", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  importMessages(organization.service, project.id, longHistory(119, [ana.id, ben.id], Date.now()), [ana.id]);
  await createMessage(ana, project.id, "her own");
  await createMessage(ben, project.id, "hold me");
  const page = await open(ana, `/projects/${project.id}/chat`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const last = message(page, "hold me");
  await expect(last).toBeInViewport();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);

  await test.step("the last message stays visible when the composer grows or the keyboard opens", async () => {
    await composer(page).fill("a\nb\nc\nd\ne\nf\ng");
    await expect(last).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 390, height: 500 });
    await expect(last).toBeInViewport({ ratio: 1 });
    // The bottom bar disappears as the reply bar appears, so the view grows and shrinks at once.
    await composer(page).fill("");
    await composer(page).blur();
    await last.getByRole("article").focus();
    await page.keyboard.press("r");
    await composer(page).fill("a\nb\nc");
    await expect(last).toBeInViewport({ ratio: 0.9 });
    await composer(page).press("Escape");
    await expect(page.getByRole("button", { name: "Jump to latest" })).toHaveCount(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(last).toBeInViewport({ ratio: 1 });
    await composer(page).fill("");
    await attachFiles(page, randomFile("bounce.bin", 2_000), randomFile("stems.bin", 2_000));
    for (const name of ["bounce.bin", "stems.bin"]) await expect(uploadCard(page, name)).toContainText("Uploaded");
    await expect(last).toBeInViewport({ ratio: 1 });
    await expect(async () => {
      const [row, trayBox] = await Promise.all([last.boundingBox(), uploadTray(page).boundingBox()]);
      expect(row!.y + row!.height).toBeLessThanOrEqual(trayBox!.y);
    }).toPass();
  });

  await test.step("a long press opens the message menu", async () => {
    const box = await stableBox(last);
    const session = await page.context().newCDPSession(page);
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: box.x + 120, y: box.y + 20 }] });
    await expect(page.getByRole("menu", { name: "Message" })).toBeVisible();
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect(page.getByRole("menu", { name: "Message" })).toBeVisible();
    await page.getByRole("menuitemcheckbox", { name: "React with ❤️" }).tap();
    await expect(last.getByRole("button", { name: /^❤️ 1 reaction/ })).toBeVisible();
    await expect(actions(last)).toBeHidden();
  });

  await test.step("while a message is edited, the button that jumps to the end does not cover the form's", async () => {
    await message(page, "her own").getByRole("article").focus();
    await page.keyboard.press("e");
    await expect(timeline(page).getByRole("textbox")).toHaveValue("her own");
    await timeline(page).evaluate((element) => element.scrollBy(0, -200));
    const jump = page.locator("button", { hasText: "Jump to latest" });
    await expect(jump).toHaveCount(1);
    await expect(jump).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(jump).toBeVisible();
  });
});
