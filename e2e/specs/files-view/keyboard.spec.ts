import type { Page } from "@playwright/test";
import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { clickEntry, createFolder, entry, entryNames, fileGrid, filesPath, folderTree, selectedNames, treeItem } from "../../fixtures/files-view.ts";
import { upload } from "../../fixtures/files.ts";
import { createLibrary } from "../../fixtures/processed-files.ts";
import { expect, test } from "../../fixtures/test.ts";

const letterNames = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"];
const expectSelected = (page: Page, letters: string) =>
  expect.poll(() => selectedNames(page)).toEqual(letterNames.filter((name) => letters.includes(name.charAt(0))));

test("rows are selected with mouse and keys as in a file manager", async ({ pair: { ana, project }, open }) => {
  const ids = await Promise.all(letterNames.map((name) => upload(ana, project, name, name)));
  const page = await open(ana, filesPath(project));

  await test.step("a press selects one row, Ctrl adds and removes, Shift extends from the last one", async () => {
    // Without a selection, Shift selects one row.
    await clickEntry(page, "c.txt", ["Shift"]);
    await expectSelected(page, "c");
    await clickEntry(page, "b.txt");
    await clickEntry(page, "e.txt", ["Control"]);
    await expectSelected(page, "be");
    await clickEntry(page, "c.txt", ["Shift"]);
    await expectSelected(page, "cde");
    // Selects from the same anchor in the other direction.
    await clickEntry(page, "f.txt", ["Shift"]);
    await expectSelected(page, "ef");
    await clickEntry(page, "b.txt");
    await clickEntry(page, "e.txt", ["Control"]);
    await clickEntry(page, "c.txt", ["Control", "Shift"]);
    await expectSelected(page, "bcde");
    await clickEntry(page, "d.txt", ["Control"]);
    await expectSelected(page, "bce");
    await fileGrid(page).getByRole("checkbox", { name: "Select f.txt" }).click();
    await expectSelected(page, "bcef");
    // Shift and a checkbox extend the selection too, also at the edge of its area.
    const checkbox = (name: string) => fileGrid(page).getByRole("checkbox", { name: `Select ${name}` });
    await clickEntry(page, "a.txt");
    await checkbox("c.txt").click({ modifiers: ["Shift"] });
    await expectSelected(page, "abc");
    const edge = (await checkbox("e.txt").boundingBox())!;
    await page.keyboard.down("Shift");
    await page.mouse.click(edge.x - 4, edge.y + edge.height + 4);
    await page.keyboard.up("Shift");
    await expectSelected(page, "abcde");
    // A press on the space below the rows clears the selection.
    const box = (await fileGrid(page).boundingBox())!;
    await page.mouse.click(box.x + 200, box.y + box.height - 20);
    await expectSelected(page, "");
  });

  await test.step("moving selects, Shift extends, Ctrl moves without selecting, and moves stop at the ends", async () => {
    await clickEntry(page, "b.txt");
    await page.keyboard.press("Escape");
    await expectSelected(page, "");
    // Without an anchor, the range starts at the focused row.
    await page.keyboard.press("Shift+ArrowDown");
    await expectSelected(page, "bc");
    await page.keyboard.press("Shift+ArrowDown");
    await expectSelected(page, "bcd");
    await page.keyboard.press("Shift+ArrowUp");
    await expectSelected(page, "bc");
    await page.keyboard.press("Control+ArrowDown");
    await expect(entry(page, "d.txt")).toBeFocused();
    await expectSelected(page, "bc");
    await page.keyboard.press("Space");
    await expectSelected(page, "bcd");
    await page.keyboard.press("Shift+End");
    await expectSelected(page, "def");
    await page.keyboard.press("Shift+Home");
    await expectSelected(page, "abcd");
    await page.keyboard.press("ArrowUp");
    await expectSelected(page, "a");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("ArrowDown");
    await expect(entry(page, "f.txt")).toBeFocused();
    await expectSelected(page, "f");
    await page.keyboard.press("Control+Home");
    await expect(entry(page, "a.txt")).toBeFocused();
    await expectSelected(page, "f");
    await page.keyboard.press("Control+a");
    await expectSelected(page, "abcdef");
    await page.keyboard.press("c");
    await expect(entry(page, "c.txt")).toBeFocused();
    await expectSelected(page, "c");
    // A checkbox uses the space bar itself, and arrow keys work while it has the focus.
    await fileGrid(page).getByRole("checkbox", { name: "Select d.txt" }).click();
    await expectSelected(page, "cd");
    await page.keyboard.press("Space");
    await expectSelected(page, "c");
    await page.keyboard.press("ArrowDown");
    await expect(entry(page, "e.txt")).toBeFocused();
    // Some browsers do not focus a pressed checkbox.
    await fileGrid(page).getByRole("checkbox", { name: "Select a.txt" }).dispatchEvent("click");
    await expect(entry(page, "a.txt")).toHaveAttribute("tabindex", "0");
  });

  await test.step("other keys neither select nor open, and only the toolbar announces the selection", async () => {
    await clickEntry(page, "e.txt");
    await page.keyboard.press("Escape");
    for (const keys of ["Shift+ArrowRight", "Shift+ArrowLeft", "Control+Enter", "Alt+Enter", "Control+ArrowUp"]) await page.keyboard.press(keys);
    await expect(entry(page, "d.txt")).toBeFocused();
    await expectSelected(page, "");
    await page.keyboard.press("Control+a");
    await expect(page.getByRole("status").filter({ hasText: "6 selected" })).toBeVisible();
    await expect(page.locator("#announcer")).toBeEmpty();
    await expect(page.locator("[data-live-announcer]")).toHaveCount(0);
  });

  await test.step("when others delete the focused row, the focus moves to the one at its position", async () => {
    await clickEntry(page, "c.txt");
    await call(ana, deleteFiles, { body: { file_ids: [ids[2]!] } });
    await expect.poll(() => entryNames(page)).toEqual(["a.txt", "b.txt", "d.txt", "e.txt", "f.txt"]);
    await expect(entry(page, "d.txt")).toBeFocused();
    await expectSelected(page, "");
    await page.keyboard.press("Shift+F10");
    await expect(page.getByRole("menu", { name: "Actions for d.txt" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(entry(page, "d.txt")).toBeFocused();
  });

  await test.step("a range starts at a new folder, at the first row after Ctrl+A, and at a row that others left", async () => {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("menuitem", { name: "New folder" }).click();
    await expect(page.getByRole("textbox", { name: "Folder name" })).toBeFocused();
    await page.keyboard.type("Stems");
    await page.keyboard.press("Enter");
    await expect(entry(page, "Stems")).toBeFocused();
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(() => selectedNames(page)).toEqual(["Stems", "a.txt"]);
    await page.keyboard.press("Control+a");
    await clickEntry(page, "b.txt", ["Shift"]);
    await expect.poll(() => selectedNames(page)).toEqual(["Stems", "a.txt", "b.txt"]);
    await clickEntry(page, "f.txt");
    await clickEntry(page, "d.txt", ["Control"]);
    await call(ana, deleteFiles, { body: { file_ids: [ids[5]!] } });
    await expect.poll(() => entryNames(page)).toEqual(["Stems", "a.txt", "b.txt", "d.txt", "e.txt"]);
    await expectSelected(page, "d");
    await page.keyboard.press("Shift+ArrowUp");
    await expectSelected(page, "bd");
  });
});

test("tiles are used by keyboard, and another search begins at its first result", async ({ pair: { ana, project }, open }) => {
  for (const name of ["bass mix.txt", "chorus.txt", "drum mix.txt"]) await upload(ana, project, name, name);
  const page = await open(ana, filesPath(project));
  await page.getByRole("button", { name: "Grid view" }).click();
  const selectedCount = () => fileGrid(page).getByRole("gridcell", { selected: true }).count();
  await entry(page, "bass mix.txt").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(entry(page, "chorus.txt")).toBeFocused();
  await expect.poll(selectedCount).toBe(2);
  await page.keyboard.press("End");
  await expect(entry(page, "drum mix.txt")).toBeFocused();
  await expect.poll(selectedCount).toBe(1);
  await page.keyboard.press("Control+ArrowLeft");
  await page.keyboard.press("Space");
  await expect(entry(page, "chorus.txt")).toBeFocused();
  await expect.poll(selectedCount).toBe(2);
  await page.keyboard.press("/");
  await page.keyboard.type("mix");
  await expect(entry(page, "chorus.txt")).toHaveCount(0);
  await expect(entry(page, "bass mix.txt")).toHaveAttribute("tabindex", "0");
  await page.keyboard.press("ArrowDown");
  await expect(entry(page, "bass mix.txt")).toBeFocused();
});

test("the folder tree is used by keyboard", async ({ pair: { ana, project }, open }) => {
  const root = project.root_folder_id ?? 0;
  const [, second] = [await createFolder(ana, root, "take 10"), await createFolder(ana, root, "Take 2"), await createFolder(ana, root, "Bass")];
  const drums = await createFolder(ana, second, "Drums");
  await createFolder(ana, drums, "Old");
  const page = await open(ana, filesPath(project));
  const names = () =>
    folderTree(page)
      .getByRole("row")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")));
  await expect.poll(names).toEqual([project.name, "Bass", "Take 2", "take 10"]);
  await expect(treeItem(page, project.name)).toHaveAttribute("aria-selected", "true");
  await treeItem(page, project.name).focus();
  await page.keyboard.press("ArrowUp");
  await expect(treeItem(page, project.name)).toBeFocused();
  await page.keyboard.press("End");
  await expect(treeItem(page, "take 10")).toBeFocused();
  // A letter finds the next name, and a folder without subfolders does not open.
  await page.keyboard.press("t");
  await expect(treeItem(page, "Take 2")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect.poll(names).toEqual([project.name, "Bass", "Take 2", "Drums", "take 10"]);
  await expect(treeItem(page, "Drums")).toHaveAttribute("aria-level", "3");
  await page.keyboard.press("ArrowRight");
  await expect(treeItem(page, "Drums")).toBeFocused();
  await page.keyboard.press("*");
  await expect.poll(names).toEqual([project.name, "Bass", "Take 2", "Drums", "Old", "take 10"]);
  await page.keyboard.press("ArrowLeft");
  await expect(treeItem(page, "Old")).toHaveCount(0);
  await page.keyboard.press("ArrowLeft");
  await expect(treeItem(page, "Take 2")).toBeFocused();
  // With Alt, arrow keys are the browser's.
  await treeItem(page, "Take 2").dispatchEvent("keydown", { key: "ArrowLeft", altKey: true, bubbles: true, cancelable: true });
  await expect(treeItem(page, "Take 2")).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("ArrowLeft");
  await expect(treeItem(page, "Take 2")).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Space");
  await expect(page.getByRole("heading", { name: "Take 2" })).toBeVisible();
  await expect(treeItem(page, "Take 2")).toHaveAttribute("aria-selected", "true");
  await expect(treeItem(page, "Take 2")).toBeFocused();
  // The root folder cannot be dragged.
  await expect(treeItem(page, "Take 2")).toHaveAttribute("draggable", "true");
  await expect(treeItem(page, project.name)).toHaveAttribute("draggable", "false");
  await expectAccessible(page);
});

test("a folder with 100,000 files is used by keyboard alone", async ({ organization, pair: { ana, project }, open }) => {
  test.slow();
  const library = await createLibrary(organization, ana, project, 100_000);
  const page = await open(ana, filesPath(project, library));
  await expect(entry(page, "take 1.txt")).toBeVisible();
  // From the search field, an arrow key leads to the first row.
  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  await expect(entry(page, "take 1.txt")).toBeFocused();
  await page.keyboard.press("End");
  await expect(entry(page, "take 100000.txt")).toBeFocused({ timeout: 120_000 });
  await expect(entry(page, "take 100000.txt")).toBeInViewport();
  await expect(entry(page, "take 100000.txt")).toHaveAttribute("aria-rowindex", "100001");
  await expect(fileGrid(page)).toHaveAttribute("aria-rowcount", "100001");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(() => selectedNames(page)).toEqual(["take 99998.txt", "take 99999.txt", "take 100000.txt"]);
  await page.keyboard.press("Shift+Home");
  await expect(entry(page, "take 1.txt")).toBeFocused();
  await expect(page.getByText("100,000 selected")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+a");
  await expect(page.getByText("100,000 selected")).toBeVisible();
  await page.keyboard.press("PageDown");
  await expect(page.getByText("1 selected", { exact: true })).toBeVisible();
  await Promise.all("take 77777".split("").map((key) => page.keyboard.press(key === " " ? "Space" : key)));
  await expect(entry(page, "take 77777.txt")).toBeFocused();
  await expect(entry(page, "take 77777.txt")).toBeInViewport();
  await expect.poll(() => fileGrid(page).locator("[data-entry]").count()).toBeLessThan(100);
  await expectAccessible(page);
  await page.keyboard.press("F2");
  await page.keyboard.type("best");
  await page.keyboard.press("Enter");
  await expect(entry(page, "best.txt")).toBeFocused();
  await expect(entry(page, "best.txt")).toHaveAttribute("aria-rowindex", "2");
  await page.keyboard.press("Delete");
  await expect(entry(page, "take 1.txt")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/files\/\d+$/);
});
