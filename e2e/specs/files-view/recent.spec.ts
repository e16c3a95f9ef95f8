/** Tests the tab Recent, dates of folders, widths of columns, and the selection bar. */
import { upload } from "../../fixtures/files.ts";
import {
  clickEntry,
  createFolder,
  dropOnto,
  entry,
  entryNames,
  fileGrid,
  filesPath,
  listPaths,
  recentPath,
  uploadToFolder,
  writeTree,
} from "../../fixtures/files-view.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { expect, test } from "../../fixtures/test.ts";

test("Files open on the newest files of all folders; what another person uploads appears on top, and the folders are a tab away", async ({
  pair: { ana, ben, project },
  open,
}, testInfo) => {
  const root = project.root_folder_id ?? 0;
  const mixes = await createFolder(ana, root, "Mixes");
  const old = await createFolder(ana, mixes, "Old");
  await uploadToFolder(ana, project, old, "first.txt", "1");
  await upload(ana, project, "second.txt", "2");

  const page = await open(ben, `/projects/${project.id}/chat`);
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${recentPath(project)}$`));
  await expect(page.getByRole("grid", { name: `Recent files in ${project.name}` })).toBeVisible();
  await expect.poll(() => entryNames(page)).toEqual(["second.txt", "first.txt"]);
  await expect(page.getByRole("columnheader", { name: "Modified" })).toHaveAttribute("aria-sort", "descending");
  await expect(entry(page, "first.txt").getByText(`Uploaded by ${ana.name}`)).toBeAttached();
  await expectAccessible(page);

  await test.step("a new file of the other person is on top", async () => {
    await uploadToFolder(ana, project, mixes, "third.txt", "3");
    await expect.poll(() => entryNames(page)).toEqual(["third.txt", "second.txt", "first.txt"]);
    await expect(entry(page, "third.txt").getByRole("link", { name: "Mixes", exact: true })).toBeVisible();
  });

  await test.step("search and filters cover all folders", async () => {
    await page.getByRole("textbox", { name: /^Search in/ }).fill("first");
    await expect.poll(() => entryNames(page)).toEqual(["first.txt"]);
    await page.getByRole("button", { name: "Clear search" }).click();
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page.getByRole("dialog").locator("label").filter({ hasText: "No status" })).toContainText("3");
    await page.keyboard.press("Escape");
  });

  await test.step("files and folders dropped here go to the root folder", async () => {
    const folder = testInfo.outputPath("drop");
    writeTree(folder, { "Stems/kick.txt": "k", "loose.txt": "l" });
    await dropOnto(page, fileGrid(page), [`${folder}/Stems`, `${folder}/loose.txt`]);
    await expect.poll(() => listPaths(ana, project)).toEqual(expect.arrayContaining(["Stems/", "Stems/kick.txt", "loose.txt"]));
    await expect.poll(async () => (await entryNames(page)).toSorted().slice(0, 3)).toEqual(["first.txt", "kick.txt", "loose.txt"]);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByRole("menuitem", { name: /^Upload files/ })).toContainText("To ");
    await page.keyboard.press("Escape");
  });

  await test.step("the folder of a file is a link, and back leads to Recent", async () => {
    await entry(page, "first.txt").getByRole("link", { name: "Mixes / Old" }).click();
    await expect(page).toHaveURL(new RegExp(`${filesPath(project, old)}$`));
    await expect.poll(() => entryNames(page)).toEqual(["first.txt"]);
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${recentPath(project)}$`));
    await expect(entry(page, "loose.txt")).toBeVisible();
  });

  await test.step("the person who used the folders last comes back to them", async () => {
    const views = page.getByRole("navigation", { name: "File views" });
    await views.getByRole("link", { name: "Folders" }).click();
    await expect(page).toHaveURL(new RegExp(`${filesPath(project)}$`));
    await expect(entry(page, "Mixes")).toBeVisible();
    const main = page.getByRole("main");
    await main.getByRole("link", { name: "Chat", exact: true }).click();
    await main.getByRole("link", { name: "Files", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${filesPath(project)}$`));
    await views.getByRole("link", { name: "Recent" }).click();
    await expect(page).toHaveURL(new RegExp(`${recentPath(project)}$`));
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${filesPath(project)}$`));
    await page.goForward();
    await expect(fileGrid(page).getByRole("link", { name: "loose.txt" })).toBeVisible();
  });

  await test.step("a folder created in Recent is named among the folders", async () => {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("menuitem", { name: /^New folder/ }).click();
    await page.getByRole("textbox", { name: "Folder name" }).fill("Masters");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`${filesPath(project)}$`));
    await expect(entry(page, "Masters")).toBeFocused();
  });
});

test("a folder moves up as soon as another person adds something deep in it", async ({ pair: { ana, ben, project }, open }) => {
  const root = project.root_folder_id ?? 0;
  const mixes = await createFolder(ana, root, "Mixes");
  const deep = await createFolder(ana, mixes, "Deep");
  await createFolder(ana, root, "Stems");
  const page = await open(ben, `${filesPath(project)}?sort=changed`);
  await expect.poll(() => entryNames(page)).toEqual(["Stems", "Mixes"]);
  await uploadToFolder(ana, project, deep, "new.txt", "n");
  await expect.poll(() => entryNames(page)).toEqual(["Mixes", "Stems"]);
});

test("columns are resized by drag and keys, which this browser remembers; the selection bar moves no row and has Delete last", async ({
  pair: { ana, project },
  open,
}) => {
  for (const name of ["a.txt", "b.txt", "c.txt"]) await upload(ana, project, name, name);
  const page = await open(ana, filesPath(project), { viewport: { width: 1440, height: 900 } });
  await expect(entry(page, "a.txt")).toBeVisible();
  const separator = page.getByRole("separator", { name: "Resize Status" });
  const header = page.getByRole("columnheader", { name: "Status" });
  const widthOf = async () => Math.round((await header.boundingBox())!.width);
  const initial = await widthOf();
  const box = (await separator.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 60, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(widthOf).toBe(initial + 60);
  await separator.press("ArrowLeft");
  await expect(separator).toHaveAttribute("aria-valuenow", String(initial + 76));
  await page.reload();
  await expect.poll(widthOf).toBe(initial + 76);
  await separator.dblclick();
  await expect.poll(widthOf).toBe(initial);

  const before = (await entry(page, "b.txt").boundingBox())!;
  await clickEntry(page, "b.txt");
  const bar = page.getByRole("toolbar", { name: "Actions for the selection" });
  await expect(bar.getByRole("button").last()).toHaveText("Delete");
  await expect(bar.getByRole("button", { name: "Download" })).toHaveText("Download");
  expect((await entry(page, "b.txt").boundingBox())!).toEqual(before);
  await expect(page.getByRole("button", { name: "Sort" })).toBeVisible();
  await expectAccessible(page);
  // The menu has a line before Delete and its key.
  await entry(page, "b.txt").click({ button: "right" });
  await expect(page.getByRole("menuitem").last()).toContainText("DeleteDel");
  await expect(page.getByRole("menu").getByRole("separator")).toHaveCount(1);
  await page.keyboard.press("Escape");
  // The next row gets the focus, also where a checkbox had it.
  await page.keyboard.press("Escape");
  await fileGrid(page).getByRole("checkbox", { name: "Select a.txt" }).click();
  await page.keyboard.press("Delete");
  await expect(entry(page, "a.txt")).toHaveCount(0);
  await expect(entry(page, "b.txt")).toBeFocused();
});
