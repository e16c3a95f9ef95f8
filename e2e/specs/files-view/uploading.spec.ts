import { join } from "node:path";
import { makeFolder } from "../../../contract/operations/files.ts";
import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { call } from "../../fixtures/api.ts";
import { lineOf } from "../../fixtures/choosing.ts";
import { dropOnto, filesPath, folderTree, list, panel, pathsIn, row, toasts, writeTree } from "../../fixtures/files-view.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a folder chosen by the button and one dropped onto a folder come with all that is in them", async ({ pair: { ana, ben, project }, open }, info) => {
  const home = info.outputPath("home");
  writeTree(home, {
    "EP/Stems/kick.wav": "kick",
    "EP/Stems/Old/kick.wav": "old kick",
    "EP/.DS_Store": "x",
    "EP/notes.txt": "notes",
    "Art/cover.txt": "cover",
    "Art/Empty/": "",
    "Art/Thumbs.db": "x",
  });
  const page = await open(ana, filesPath(project));
  const other = await open(ben, filesPath(project));
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Upload folder" }).click();
  await (await chooser).setFiles(join(home, "EP"));
  await expect(toasts(page)).toContainText("3 files go to Files. 1 system file was left out.");
  await expect(panel(page)).toContainText("3 files are uploaded to Files");
  await row(page, "EP").getByRole("link", { name: "EP" }).click();
  await expect(row(page, "notes.txt")).toBeVisible();
  await dropOnto(page, row(page, "Stems"), [join(home, "Art")]);
  await expect(panel(page)).toContainText("4 files are uploaded");
  await expect(toasts(page)).toContainText("1 empty folder was made.");
  // Somebody else sees it come.
  await expect(folderTree(other).getByRole("treeitem", { name: "EP" })).toBeVisible();
  await row(other, "EP").getByRole("link", { name: "EP" }).click();
  await expect(row(other, "Stems")).toBeVisible();
  await expect
    .poll(() => pathsIn(ana, project))
    .toEqual(["EP/", "EP/Stems/", "EP/Stems/Art/", "EP/Stems/Art/Empty/", "EP/Stems/Art/cover.txt", "EP/Stems/Old/", "EP/Stems/Old/kick.wav", "EP/Stems/kick.wav", "EP/notes.txt"]);
  await page.getByRole("button", { name: "Close the list of uploads" }).click();
  await expect(panel(page)).toHaveCount(0);
});
