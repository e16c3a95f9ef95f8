import type { Page } from "@playwright/test";
import { composer, dialog, expectSent, rail, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const focused = page.locator(":focus");
    if (
      (await focused.count()) === 1 &&
      (await focused.evaluate((element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").trim())) === name
    )
      return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reaches ${name}`);
}

test("everything can be done without a mouse: sign in, open a project, write, settings, sign out", async ({ pair: { ana, project }, open }) => {
  const page = await open(null, `${ana.url}/sign-in`);
  await expect(page.getByRole("textbox", { name: "E-mail or username" })).toBeFocused();
  await page.keyboard.type(ana.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(ana.password);
  await page.keyboard.press("Enter");
  await expect(rail(page)).toBeVisible();
  await expect(composer(page)).toBeFocused();

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(project.name);
  await expect(page.getByRole("option", { name: project.name, exact: true })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat`);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type("no mouse");
  await page.keyboard.press("Enter");
  await expectSent(page, "no mouse");

  await page.keyboard.press("Control+k");
  await page.keyboard.type("open settings");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeFocused();
  await tabTo(page, "Sign out");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("? lists the keys, Escape closes it and gives the focus back", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/members`);
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
  await tabTo(page, "SearchCtrl K");
  await page.keyboard.press("?");
  await expect(dialog(page, "Keyboard shortcuts")).toBeVisible();
  await expect(dialog(page, "Keyboard shortcuts")).toContainText("Search projects, files, people and actions");
  await page.keyboard.press("Escape");
  await expect(dialog(page, "Keyboard shortcuts")).toHaveCount(0);
  await expect(rail(page).getByRole("button", { name: "Search" })).toBeFocused();
});

test("? while writing is a question mark", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await composer(page).pressSequentially("really?");
  await expect(composer(page)).toHaveValue("really?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the palette finds projects, people and actions, and says when it finds nothing", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeVisible();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox");
  await field.fill(ben.name);
  await expect(page.getByRole("option", { name: ben.name })).toBeVisible();
  await field.fill("nothing is called like that");
  await expect(page.getByText("Nothing is called “nothing is called like that”.")).toBeVisible();
  await field.fill("");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option").nth(1)).toHaveAttribute("aria-selected", "true");
  await field.fill("api tok");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings\/tokens$/);
});

test("Alt with the arrows goes from project to project, and Skip leads past the rail", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page).toHaveURL(/\/projects\/\d+\/chat$/);
  await page.goto(`${ana.url}/projects/${project.id}/members`);
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("the timeline scrolls by keys", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeFocused();
  for (let index = 0; index < 3; index += 1) {
    await page.keyboard.type(`block ${index}`);
    for (let line = 0; line < 15; line += 1) await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("end");
    await page.keyboard.press("Enter");
  }
  await expectSent(page, "block 2");
  await timeline(page).focus();
  const before = await timeline(page).evaluate((log) => log.scrollTop);
  await page.keyboard.press("PageUp");
  await expect.poll(() => timeline(page).evaluate((log) => log.scrollTop)).toBeLessThan(before);
});
