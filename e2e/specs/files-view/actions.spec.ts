import type { Page } from "@playwright/test";
import { updateFile } from "../../../contract/operations/files-view.ts";
import { openZip } from "../../../server/testing/unzip.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { createFolder, dropOnto, fileGrid, fileRow, filesPath, folderTree, listPaths, toasts, uploadPanel, writeTree } from "../../fixtures/files-view.ts";
import { upload } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { createProcessedFiles } from "../../fixtures/processed-files.ts";

const rootFolderId = (project: { root_folder_id: number | null }) => project.root_folder_id ?? 0;
const chooseMenuItem = async (page: Page, name: string, item: string) => {
  await fileRow(page, name).click({ button: "right", position: { x: 200, y: 20 } });
  await page.getByRole("menuitem", { name: item }).click();
};
const selectRow = (page: Page, name: string, modifiers: ("Shift" | "ControlOrMeta")[] = []) =>
  fileRow(page, name).click({ position: { x: 200, y: 20 }, modifiers });

test("files are renamed in place, and moved by drag and by the dialog; the other person sees it immediately", async ({
  organization,
  pair: { ana, ben, project },
  open,
  pageErrors,
  network,
}) => {
  pageErrors.allow(statusError(409));
  const stems = await createFolder(ana, rootFolderId(project), "Stems");
  await createFolder(ana, stems, "Drums");
  await createProcessedFiles(organization, ana, project, ["mix v1.wav", "rough.wav", "a.wav", "b.wav", "c.wav"]);
  const [page, other] = await Promise.all([open(ana, filesPath(project)), open(ben, filesPath(project))]);

  await test.step("a conflicting rename shows an error and preserves the typed name; a new folder is created", async () => {
    await selectRow(page, "mix v1.wav");
    await page.keyboard.press("F2");
    const field = page.getByRole("textbox", { name: "Name of mix v1.wav" });
    // The selection leaves out the file extension.
    await expect.poll(() => field.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0))).toBe("mix v1");
    await page.keyboard.type("final");
    await selectRow(other, "rough.wav");
    await other.keyboard.press("F2");
    await expect(other.getByRole("textbox", { name: "Name of rough.wav" })).toBeFocused();
    await other.keyboard.type("Final");
    await page.keyboard.press("Enter");
    await expect(fileRow(page, "final.wav")).toBeFocused();
    await expect(fileRow(other, "final.wav")).toBeVisible();
    await other.keyboard.press("Enter");
    const secondField = other.getByRole("textbox", { name: "Name of rough.wav" });
    await expect(secondField).toHaveValue("Final.wav");
    await expect(secondField).toBeFocused();
    await expect(other.getByText(/A file or folder with this name already exists here/)).toBeInViewport();
    await expect(secondField).toHaveAccessibleDescription(/A file or folder with this name already exists here/);
    await expectAccessible(other);
    await secondField.fill("finäl/2");
    await secondField.press("Enter");
    await expect(secondField).toHaveAccessibleDescription("Names can't contain / or \\.");
    await secondField.press("Escape");
    await expect(fileRow(other, "rough.wav")).toBeFocused();

    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("menuitem", { name: "New folder" }).click();
    const newFolderField = page.getByRole("textbox", { name: "Folder name" });
    await expect(newFolderField).toBeFocused();
    await page.keyboard.type("rough.wav");
    await page.keyboard.press("Enter");
    await expect(newFolderField).toHaveAccessibleDescription(/A file or folder with this name already exists here/);
    await newFolderField.fill("Sends");
    await newFolderField.press("Enter");
    await expect(fileRow(page, "Sends")).toBeFocused();
    await expect(fileRow(other, "Sends")).toBeVisible();
    // Leaving the field also applies the name, and the focus stays where the user moved it.
    await page.keyboard.press("F2");
    await expect(page.getByRole("textbox", { name: "Name of Sends" })).toBeFocused();
    await page.keyboard.type("Takes");
    const search = page.getByRole("textbox", { name: `Search in ${project.name}` });
    await search.click();
    await expect(fileRow(other, "Takes")).toBeVisible();
    await expect(search).toBeFocused();
    expect(await listPaths(ana, project)).toEqual(["Stems/", "Stems/Drums/", "Takes/", "a.wav", "b.wav", "c.wav", "final.wav", "rough.wav"]);
  });

  await test.step("files are moved by drag and by the dialog, never into themselves, and moved back", async () => {
    await selectRow(page, "a.wav");
    await selectRow(page, "b.wav", ["Shift"]);
    await fileRow(page, "a.wav").dragTo(fileRow(page, "Stems"), { sourcePosition: { x: 200, y: 20 } });
    await expect(toasts(page)).toContainText("2 items moved to Stems.");
    await expect(fileRow(other, "a.wav")).toHaveCount(0);
    await expect(fileRow(other, "c.wav")).toBeVisible();
    // Drops onto the tree, and tries to move a folder into itself, which sends no request.
    await fileRow(page, "c.wav").dragTo(folderTree(page).getByRole("row", { name: "Stems" }), { sourcePosition: { x: 200, y: 20 } });
    await expect(fileRow(page, "c.wav")).toHaveCount(0);
    await page.keyboard.press("ControlOrMeta+z");
    await expect(fileRow(page, "c.wav")).toBeVisible();
    await chooseMenuItem(page, "Stems", "Move to…");
    const dialog = page.getByRole("dialog", { name: "Move “Stems”" });
    await dialog.getByRole("row", { name: project.name }).press("ArrowDown");
    await expect(dialog).toContainText("“Stems” can't be moved into itself.");
    await expect(dialog.getByRole("button", { name: "Move to Stems" })).toBeDisabled();
    await dialog.getByRole("row", { name: "Stems" }).press("ArrowRight");
    await dialog.getByRole("row", { name: "Stems" }).press("ArrowDown");
    await expect(dialog).toContainText("“Stems” can't be moved into one of its subfolders.");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await chooseMenuItem(page, "c.wav", "Move to…");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `New folder in ${project.name}` })
      .click();
    await page.keyboard.type("Bounces");
    // A folder that is chosen while the new one is being created stays chosen.
    const paused = await network.pause(page, "**/v1/files/mkdir");
    await page.keyboard.press("Enter");
    await expect.poll(() => paused.urls.length).toBe(1);
    await page.getByRole("dialog").getByRole("row", { name: "Stems" }).click();
    await paused.end();
    await expect(page.getByRole("dialog").getByRole("button", { name: "New folder in Stems" })).toBeVisible();
    await page.getByRole("dialog").getByRole("button", { name: "New folder in Stems" }).click();
    await page.keyboard.type("Mixes");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").getByRole("button", { name: "Move to Mixes" })).toBeVisible();
    // The created folder is in the tab order, and what was expanded still is.
    await page.getByRole("dialog").getByRole("treegrid").focus();
    await expect(page.getByRole("dialog").getByRole("row", { name: "Mixes" })).toHaveAttribute("tabindex", "0");
    await page.getByRole("dialog").getByRole("row", { name: "Bounces" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to Bounces" }).click();
    await expect(fileRow(other, "c.wav")).toHaveCount(0);
    await expect
      .poll(() => listPaths(ana, project))
      .toEqual(["Bounces/", "Bounces/c.wav", "Stems/", "Stems/Drums/", "Stems/Mixes/", "Stems/a.wav", "Stems/b.wav", "Takes/", "final.wav", "rough.wav"]);
  });
});

test("files are deleted and restored, protected, downloaded as one ZIP, and get versions", async ({
  organization,
  pair: { ana, ben, project },
  open,
  pageErrors,
  createPerson,
}, info) => {
  pageErrors.allow(statusError(409));
  await createFolder(ana, rootFolderId(project), "Stems");
  const album = await createFolder(ana, rootFolderId(project), "Album");
  await createFolder(ana, album, "Empty");
  await createProcessedFiles(organization, ana, project, ["kick ä.txt"], album);
  const [, protectedId] = await createProcessedFiles(organization, ana, project, ["a.wav", "b.wav", "notes.txt"]);
  await upload(ana, project, "mix.wav", "mix.wav 1");
  await call(ana, updateFile, { params: { file_id: protectedId! }, body: { removal_protection: true } });
  const [page, other] = await Promise.all([open(ana, filesPath(project)), open(ben, filesPath(project))]);

  await test.step("deleting can be undone, even from another view; a protected file stays and shows why", async () => {
    await selectRow(page, "Stems");
    await selectRow(page, "a.wav", ["ControlOrMeta"]);
    // Deleting from the toolbar returns the focus to the list.
    await page.getByRole("toolbar", { name: "Actions for the selection" }).getByRole("button", { name: "Delete" }).press("Enter");
    await expect(fileRow(page, "a.wav")).toHaveCount(0);
    await expect(fileRow(page, "b.wav")).toBeFocused();
    // A toast stays while the pointer is over it.
    await toasts(page).getByText("2 items deleted.").hover();
    await expect(fileRow(other, "Stems")).toHaveCount(0);
    await page.getByRole("link", { name: "Chat" }).press("Enter");
    await expect(page.getByRole("textbox", { name: /^Message / })).toBeVisible();
    await toasts(page).getByRole("button", { name: "Undo" }).click();
    await expect(toasts(page)).toContainText("2 items restored.");
    await expect(fileRow(other, "Stems")).toBeVisible();
    await expect(folderTree(other).getByRole("row", { name: "Stems" })).toBeVisible();
    await page.goBack();
    await expect(fileRow(page, "b.wav").getByRole("img", { name: /Protected from removal/ })).toBeVisible();
    await selectRow(page, "b.wav");
    await page.keyboard.press("Delete");
    await expect(toasts(page)).toContainText("“b.wav” is protected from removal. Remove the protection first.");
    await toasts(page).getByRole("button", { name: "Remove protection" }).click();
    await expect(fileRow(other, "b.wav").getByRole("img", { name: /Protected/ })).toHaveCount(0);
    await chooseMenuItem(page, "Stems", "Protection…");
    await page.getByRole("checkbox", { name: "Protected from removal" }).click();
    await expect(page.getByRole("checkbox", { name: "Protected from removal" })).toBeChecked();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(fileRow(other, "Stems").getByRole("img", { name: /Protected/ })).toBeVisible();
    // Actions that a guest may not perform are hidden, or state the reason.
    const gil = await createPerson("Gil", "guest", [project.id]);
    const guest = await open(gil, filesPath(project));
    await fileRow(guest, "a.wav").click({ button: "right", position: { x: 200, y: 20 } });
    await expect(guest.getByRole("menuitem", { name: /^Delete/ })).toContainText("Guests can only delete files they uploaded.");
    await expect(guest.getByRole("menuitem", { name: "Rename" })).toHaveCount(0);
    expect(await listPaths(ana, project)).toEqual(["Album/", "Album/Empty/", "Album/kick ä.txt", "Stems/", "a.wav", "b.wav", "mix.wav", "notes.txt"]);
  });

  await test.step("several files download as one ZIP, a single one as it is; a file dropped on a file becomes its version", async () => {
    await selectRow(page, "Album");
    await selectRow(page, "mix.wav", ["ControlOrMeta"]);
    const [zip] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("toolbar", { name: "Actions for the selection" }).getByRole("button", { name: "Download as ZIP" }).click(),
    ]);
    const zipPath = info.outputPath("all.zip");
    await zip.saveAs(zipPath);
    const archive = openZip(zipPath);
    expect(archive.entries.map(({ path }) => path).toSorted()).toEqual(["Album/", "Album/Empty/", "Album/kick ä.txt", "mix.wav"]);
    // Reading an entry checks its checksum.
    for (const entry of archive.entries) if (!entry.isFolder) expect(entry.read()).toHaveLength(entry.size);
    archive.close();
    const [download] = await Promise.all([page.waitForEvent("download"), chooseMenuItem(page, "notes.txt", "Download")]);
    expect(download.suggestedFilename()).toBe("notes.txt");

    const sourceFolder = info.outputPath("home");
    writeTree(sourceFolder, { "mix new.wav": "mix 2" });
    await dropOnto(page, fileRow(page, "mix.wav"), [`${sourceFolder}/mix new.wav`]);
    const confirmDialog = page.getByRole("dialog", { name: "Add as a new version?" });
    await expect(confirmDialog).toContainText("mix new.wav will become the next version of mix.wav.");
    await confirmDialog.getByRole("button", { name: "Add as version" }).click();
    await expect(uploadPanel(page)).toContainText("1 file uploaded");
    await expect(fileRow(page, "mix.wav")).toContainText("v2");
    await chooseMenuItem(page, "mix.wav", "Versions…");
    const versions = page.getByRole("dialog", { name: "Versions of “mix.wav”" });
    await expect(versions.getByRole("listitem")).toHaveText([/Version 2.*Current.*Ana/, /Version 1.*Ana/]);
    await expectAccessible(page);
    const [first] = await Promise.all([page.waitForEvent("download"), versions.getByRole("link", { name: "Download version 1" }).click()]);
    const bytes: Buffer[] = [];
    for await (const chunk of await first.createReadStream()) bytes.push(chunk as Buffer);
    expect(Buffer.concat(bytes).toString()).toBe("mix.wav 1");
    expect(await listPaths(ana, project)).toEqual(["Album/", "Album/Empty/", "Album/kick ä.txt", "Stems/", "a.wav", "b.wav", "mix.wav", "notes.txt"]);
    await page.keyboard.press("Escape");
    await expect(fileGrid(page)).toBeVisible();
  });
});

test("Delete and F2 work while a row's checkbox has the focus; a toast stays while it has the pointer or the focus", async ({
  pair: { ana, project },
  open,
}) => {
  for (const name of ["a.txt", "b.txt", "c.txt"]) await upload(ana, project, name, name);
  const page = await open(ana, filesPath(project));
  const checkBox = (name: string) => fileRow(page, name).getByRole("checkbox");
  await checkBox("a.txt").click();
  await expect(checkBox("a.txt")).toBeFocused();
  await page.keyboard.press("F2");
  const field = page.getByRole("textbox", { name: "Name of a.txt" });
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(fileRow(page, "a.txt")).toBeFocused();

  await page.clock.install();
  await checkBox("b.txt").click();
  // The clock must not run ahead of a request, which would end by its time limit.
  const deleted = page.waitForResponse((response) => response.url().endsWith("/files/delete"));
  await page.keyboard.press("Delete");
  await expect(toasts(page)).toContainText("2 items deleted.");
  await (await deleted).finished();
  // The pointer leaves while the focus stays, and the other way round.
  const undo = toasts(page).getByRole("button", { name: "Undo" });
  await undo.hover();
  await undo.focus();
  await page.mouse.move(300, 300);
  await page.clock.fastForward(30_000);
  await expect(undo).toBeVisible();
  await undo.hover();
  await fileRow(page, "c.txt").focus();
  await page.clock.fastForward(30_000);
  await expect(undo).toBeVisible();
  await page.mouse.move(300, 300);
  await page.clock.fastForward(16_000);
  await expect(toasts(page)).toHaveCount(0);
});
