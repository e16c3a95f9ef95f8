import { composer, expectSent, message, rail, railProject, send } from "../../fixtures/pages.ts";
import { write } from "../../fixtures/api.ts";
import { expect, test } from "../../fixtures/test.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test("on a phone the list, the chat and the way back are one pane each", async ({ pair: { ana, ben, project }, open }) => {
  await write(ben, project.id, "waiting for you");
  const page = await open(ana, "/", PHONE);
  await expect(rail(page)).toBeVisible();
  await railProject(page, project.name).tap();
  await expect(message(page, "waiting for you")).toBeInViewport();
  await expect(rail(page)).toBeHidden();

  await composer(page).tap();
  await send(page, "from the train");
  await expectSent(page, "from the train");
  await expect(composer(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Send" })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await page.getByRole("link", { name: "Back" }).tap();
  await expect(rail(page)).toBeVisible();
  await expect(railProject(page, project.name)).toHaveAccessibleName(project.name);
});

test("on a phone the members of a project are one step from its chat, settings one from the bar", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`, PHONE);
  await page.getByRole("banner").or(page.locator("header")).getByRole("link", { name: "Members" }).first().tap();
  await expect(page.getByText(ben.name)).toBeVisible();
  await page.getByRole("link", { name: "Back" }).tap();
  await expect(composer(page)).toBeVisible();
  await page.getByRole("navigation", { name: "Talkback" }).getByRole("link", { name: "Settings" }).tap();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
});

for (const path of ["chat", "members", "/settings/profile", "/settings/members", "/settings/tokens", "/settings/sessions"]) {
  test(`nothing of ${path} sticks out to the side at 320 pixels`, async ({ pair: { ana, project }, open }) => {
    const page = await open(ana, path.startsWith("/") ? path : `/projects/${project.id}/${path}`, { ...PHONE, viewport: { width: 320, height: 640 } });
    await expect(page.getByRole("main")).toBeVisible();
    await expect(page.getByRole("heading").first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
}
