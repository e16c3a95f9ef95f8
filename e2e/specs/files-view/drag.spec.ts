import type { Locator, Page } from "@playwright/test";
import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { clickEntry, createFolder, entry, fileGrid, filesPath, folderTree, listPaths, toasts, treeItem } from "../../fixtures/files-view.ts";
import { upload } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/test.ts";

const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
/** Presses Tab, up to six times, until the condition holds. */
const tabUntil = async (page: Page, isReached: () => Promise<boolean>) => {
  for (let presses = 0; presses < 6 && !(await isReached()); presses += 1) await page.keyboard.press("Tab");
};
const tabToTree = (page: Page) => tabUntil(page, async () => (await folderTree(page).locator("[data-drop-target]").count()) > 0);
/** Starts a drag with the handle of the focused row, whose controls follow it in the tab order. */
const pickUp = async (page: Page, label: string) => {
  const handle = fileGrid(page).getByRole("button", { name: label });
  await tabUntil(page, () => isFocused(handle));
  await expect(handle).toBeFocused();
  await page.keyboard.press("Enter");
  // The drag begins at the first folder that takes it.
  await expect(page.getByText(/^Move .+ to .+/)).toBeVisible();
};

test("selected entries are dragged to folders of the tree, the list and the path by keyboard, which can be undone", async ({
  pair: { ana, project },
  open,
}) => {
  const root = project.root_folder_id ?? 0;
  const stems = await createFolder(ana, root, "Stems");
  const drums = await createFolder(ana, stems, "Drums");
  for (const name of ["a.txt", "b.txt", "c.txt"]) await upload(ana, { ...project, root_folder_id: stems }, name, name);
  const page = await open(ana, filesPath(project, stems));
  const start = ["Stems/", "Stems/Drums/", "Stems/a.txt", "Stems/b.txt", "Stems/c.txt"];

  await expect(entry(page, "a.txt")).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("Move to a folder (on a drag handle)Enter");
  await page.keyboard.press("Escape");

  await test.step("two entries to a folder of the tree", async () => {
    await clickEntry(page, "a.txt");
    await page.keyboard.press("Shift+ArrowDown");
    // The row in the tab order has a handle, and as many cells as the header.
    await expect(entry(page, "b.txt").getByRole("gridcell")).toHaveCount(await fileGrid(page).getByRole("columnheader").count());
    await pickUp(page, "Drag 2 selected items");
    // The page's heading is hidden during the drag, like everything that takes no drop.
    await expectAccessible(page, "main", ["page-has-heading-one"]);
    await page.keyboard.press("Escape");
    await pickUp(page, "Drag 2 selected items");
    await tabToTree(page);
    // The folder that contains the entries takes no drop, so the arrow key moves from the root to "Drums".
    await expect(page.getByText(`Move 2 items to ${project.name}`)).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(page.getByText("Move 2 items to Drums")).toBeVisible();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(toasts(page)).toContainText(`2 items moved to ${project.name}.`);
    await expect.poll(() => listPaths(ana, project)).toEqual(["Stems/", "Stems/Drums/", "Stems/c.txt", "a.txt", "b.txt"]);
    await page.keyboard.press("Control+z");
    await expect(entry(page, "a.txt")).toBeVisible();
    await expect.poll(() => listPaths(ana, project)).toEqual(start);
  });

  await test.step("an entry to a folder of the list, which Escape cancels first", async () => {
    await clickEntry(page, "c.txt");
    await pickUp(page, "Drag c.txt");
    await page.keyboard.press("Escape");
    await expect(fileGrid(page).getByRole("button", { name: "Drag c.txt" })).toBeFocused();
    await pickUp(page, "Drag c.txt");
    await tabUntil(page, () => isFocused(entry(page, "Drums")));
    await page.keyboard.press("Enter");
    await expect(toasts(page)).toContainText("“c.txt” moved to Drums.");
    await expect.poll(() => listPaths(ana, project)).toEqual(["Stems/", "Stems/Drums/", "Stems/Drums/c.txt", "Stems/a.txt", "Stems/b.txt"]);
  });

  await test.step("an entry to a folder of the path", async () => {
    await clickEntry(page, "b.txt");
    await pickUp(page, "Drag b.txt");
    const crumb = page.getByRole("navigation", { name: "Folder path" }).getByRole("link", { name: project.name });
    await tabUntil(page, () => isFocused(crumb));
    await expect(crumb).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(toasts(page)).toContainText(`“b.txt” moved to ${project.name}.`);
    await expect(page.getByRole("heading", { name: "Stems" })).toBeVisible();
    await expect.poll(() => listPaths(ana, project)).toEqual(["Stems/", "Stems/Drums/", "Stems/Drums/c.txt", "Stems/a.txt", "b.txt"]);
  });

  await test.step("a folder that is deleted during the drag gets nothing", async () => {
    await clickEntry(page, "a.txt");
    await pickUp(page, "Drag a.txt");
    await tabToTree(page);
    await expect(page.getByText("Move “a.txt” to Drums")).toBeVisible();
    await call(ana, deleteFiles, { body: { file_ids: [drums] } });
    await expect(folderTree(page).locator(`[data-key="${drums}"]`)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page.getByText("Move “a.txt” to Drums")).toHaveCount(0);
    await expect(entry(page, "a.txt")).toBeVisible();
  });
});

test("a drag with the mouse goes on to another folder after the one below the pointer was deleted", async ({ pair: { ana, project }, open }) => {
  const root = project.root_folder_id ?? 0;
  const alpha = await createFolder(ana, root, "Alpha");
  await createFolder(ana, root, "Gamma");
  await upload(ana, project, "x.txt", "x");
  const page = await open(ana, filesPath(project));
  /** Moves twice within the target, since the first movement into an element only enters it. */
  const moveTo = async (target: Locator) => {
    const { x, y, height } = (await target.boundingBox())!;
    await page.mouse.move(x + 110, y + height / 2 - 3, { steps: 5 });
    await page.mouse.move(x + 110, y + height / 2, { steps: 3 });
  };
  await expect(entry(page, "x.txt")).toBeVisible();
  await moveTo(entry(page, "x.txt"));
  await page.mouse.down();
  await moveTo(treeItem(page, "Alpha"));
  await expect(page.getByText("Move “x.txt” to Alpha")).toBeVisible();
  await call(ana, deleteFiles, { body: { file_ids: [alpha] } });
  await expect(treeItem(page, "Alpha")).toHaveCount(0);
  await expect(page.getByText("Move “x.txt” to Alpha")).toHaveCount(0);
  await moveTo(treeItem(page, "Gamma"));
  await expect(page.getByText("Move “x.txt” to Gamma")).toBeVisible();
  await page.mouse.up();
  await expect(toasts(page)).toContainText("“x.txt” moved to Gamma.");
});
