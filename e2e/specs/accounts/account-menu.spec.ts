import { expectAccessible } from "../../fixtures/axe.ts";
import { dialog, rail } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("the menu of the own account leads to the profile and the shortcuts, and signs out, by keyboard and on a phone", async ({
  pair: { ana, project },
  open,
}) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  const button = rail(page).getByRole("button", { name: `${ana.name}, your account` });
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  await button.press("Enter");
  await expect(item("Profile")).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(dialog(page, "Keyboard shortcuts")).toBeVisible();
  await page.keyboard.press("Escape");
  await button.click();
  await item("Profile").click();
  await expect(page.getByRole("heading", { name: "Time and region" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(ana.url);
  await button.click();
  await item("Sign out").click();
  await expect(page).toHaveURL(/\/sign-in/);
});
