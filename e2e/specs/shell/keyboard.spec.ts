import type { Page } from "@playwright/test";
import { createMessage, loadMessages } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { upload } from "../../fixtures/files.ts";
import { entry, filesPath, toasts } from "../../fixtures/files-view.ts";
import { expect, test } from "../../fixtures/network.ts";
import { composer, dialog, expectSent, rail, timeline } from "../../fixtures/pages.ts";

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const focusedName = await page.evaluate(() => (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim());
    if (focusedName === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reaches ${name}`);
}

test("everything works without a mouse: sign in, open a project, write, scroll, settings, sign out", async ({ pair: { ana, ben, project }, open }) => {
  for (let index = 0; index < 3; index += 1) await createMessage(ben, project.id, `block ${index}${"\n·".repeat(15)}\nend`);
  const page = await open(null, `${ana.url}/sign-in`);
  await expect(page.getByRole("textbox", { name: "Email or username" })).toBeFocused();
  await page.keyboard.type(ana.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(ana.password);
  await page.keyboard.press("Enter");
  await expect(rail(page)).toBeVisible();
  await expect(composer(page)).toBeFocused();

  await test.step("the palette opens the project", async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    await page.keyboard.type(project.name);
    await expect(page.getByRole("option", { name: project.name, exact: true })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat`);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(composer(page)).toBeFocused();
  });

  await test.step("a dialog that the palette opened returns the focus to where it was before", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new project");
    await expect(page.getByRole("option", { name: "New project", exact: true })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "New project" }).getByRole("textbox")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(composer(page)).toBeFocused();
  });

  await test.step("? typed in a field is a question mark", async () => {
    await page.keyboard.type("really?");
    await expect(composer(page)).toHaveValue("really?");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await composer(page).clear();
    await page.keyboard.type("no mouse");
    await page.keyboard.press("Enter");
    await expectSent(page, "no mouse");
  });

  await test.step("the timeline scrolls by keyboard", async () => {
    await expect(timeline(page).getByText("no mouse")).toBeInViewport();
    const top = () => timeline(page).evaluate((log) => log.scrollTop);
    await timeline(page).focus();
    const before = await top();
    expect(before).toBeGreaterThan(0);
    await page.keyboard.press("PageUp");
    await expect.poll(top).toBeLessThan(before);
  });

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("open settings");
  await expect(page.getByRole("option", { name: /^open settings/i })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeFocused();
  await tabTo(page, "Sign out");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("keys skip the rail, list the shortcuts, switch projects, and find projects, people and actions", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/members`);
  await test.step("Skip to content leads past the rail", async () => {
    await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  });

  await test.step("? lists the shortcuts, and Escape closes the list and returns the focus", async () => {
    await rail(page).getByRole("button", { name: "Create" }).focus();
    await tabTo(page, "SearchCtrl K");
    await page.keyboard.press("?");
    const shortcuts = dialog(page, "Keyboard shortcuts");
    await expect(shortcuts).toBeVisible();
    await expect(shortcuts).toContainText("Search everything, or run an action");
    await page.keyboard.press("Escape");
    await expect(shortcuts).toHaveCount(0);
    await expect(rail(page).getByRole("button", { name: "Search" })).toBeFocused();
  });

  await test.step("Alt with the arrow keys switches projects", async () => {
    await page.keyboard.press("Alt+ArrowDown");
    await expect(page).toHaveURL(/\/projects\/\d+\/chat$/);
    await expect(composer(page)).toBeFocused();
  });

  await test.step("the palette finds projects, people and actions, and offers to search everything when nothing matches", async () => {
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox");
    await field.fill(ben.name);
    await expect(page.getByRole("option", { name: `${ben.name} Member` })).toBeVisible();
    await field.fill("nothing is called like that");
    await expect(page.getByRole("option")).toHaveText(["Show all results for “nothing is called like that”"]);
    await field.fill("");
    await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("option").nth(1)).toHaveAttribute("aria-selected", "true");
    await field.fill("api tok");
    await expect(page.getByRole("option", { name: /API tokens/ })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/settings\/tokens$/);
  });
});

test("the palette takes keys before its results have loaded", async ({ pair: { ana, project }, open, network }) => {
  const page = await open(ana, "/icon.svg");
  const resultsModule = await network.pause(page, /\/after-first-paint-.+\.js/);
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.keyboard.type(project.name);
  await page.keyboard.press("Enter");
  await expect.poll(() => resultsModule.urls.length).toBe(1);
  await expect(page.getByRole("combobox")).toBeFocused();
  await expect(page.getByRole("combobox")).toHaveValue(project.name);
  await resultsModule.end();
  await expect(page.getByRole("option", { name: project.name, exact: true })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue("");
  expect((await loadMessages(ana, project.id)).map(({ body }) => body)).not.toContain(project.name);
});

test("F6 leads to the notifications and back, and a button with the keyboard focus shows its tooltip", async ({ pair: { ana, project }, open }) => {
  for (const name of ["first.txt", "second.txt"]) await upload(ana, project, name, name);
  const page = await open(ana, filesPath(project));
  await entry(page, "first.txt").click();
  await page.keyboard.press("Delete");
  await expect(toasts(page)).toContainText("first.txt");
  await entry(page, "second.txt").focus();
  await page.keyboard.press("F6");
  await expect(toasts(page)).toBeFocused();
  await page.keyboard.press("F6");
  await expect(entry(page, "second.txt")).toBeFocused();
  await page.keyboard.press("F6");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const close = toasts(page).getByRole("button", { name: "Close" });
  await expect(close).toBeFocused();
  await expect(page.locator("[role=tooltip]")).toHaveText("Close");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(toasts(page)).toHaveCount(0);
  await expect(entry(page, "second.txt")).toBeFocused();
  await expect(page.locator("[role=tooltip]")).toHaveCount(0);
});
