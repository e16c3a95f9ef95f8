import { join } from "node:path";
import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { call, createProject, setUpOwner } from "../../fixtures/api.ts";
import { createUploadThrottle, waitUntilBytesAreStored } from "../../fixtures/attach-files.ts";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { createFolder, dropOnto, filesPath, folderTree, uploadPanel, listPaths, fileRow, toasts, writeTree } from "../../fixtures/files-view.ts";
import { countMissedFrames } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a folder chosen with the button and one dropped onto a folder are uploaded with everything in them", async ({
  pair: { ana, ben, project },
  open,
}, info) => {
  const sourceFolder = info.outputPath("home");
  writeTree(sourceFolder, {
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
  await (await chooser).setFiles(join(sourceFolder, "EP"));
  await expect(toasts(page)).toContainText(`Uploading 3 files to ${project.name}. 1 system file skipped.`);
  await expect(uploadPanel(page)).toContainText(`3 files uploaded to ${project.name}`);
  await fileRow(page, "EP").getByRole("link", { name: "EP" }).click();
  await expect(fileRow(page, "notes.txt")).toBeVisible();
  await dropOnto(page, fileRow(page, "Stems"), [join(sourceFolder, "Art")]);
  await expect(toasts(page)).toContainText("1 empty folder created.");
  await expect(uploadPanel(page)).toContainText("4 files uploaded");
  // Another person sees the new folder appear.
  await expect(folderTree(other).getByRole("row", { name: "EP" })).toBeVisible();
  await fileRow(other, "EP").getByRole("link", { name: "EP" }).click();
  await expect(fileRow(other, "Stems")).toBeVisible();
  await expect
    .poll(() => listPaths(ana, project))
    .toEqual([
      "EP/",
      "EP/Stems/",
      "EP/Stems/Art/",
      "EP/Stems/Art/Empty/",
      "EP/Stems/Art/cover.txt",
      "EP/Stems/Old/",
      "EP/Stems/Old/kick.wav",
      "EP/Stems/kick.wav",
      "EP/notes.txt",
    ]);
  await page.getByRole("button", { name: "Dismiss uploads" }).click();
  await expect(uploadPanel(page)).toHaveCount(0);
});

test("500 files upload exactly once, despite a reload and canceled uploads", async ({ ownService, open }, info) => {
  const ana = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(ana, "Nightdrive");
  const sourceFolder = info.outputPath("home");
  const names = Array.from({ length: 500 }, (_, index) => `take ${index + 1}.txt`);
  writeTree(sourceFolder, Object.fromEntries(names.map((name, index) => [`Takes/${index % 2 ? "odd" : "even"}/${name}`, `take ${index}`])));
  const page = await open(ana, filesPath(project));
  await expect(page.getByText("No files yet")).toBeVisible();
  await dropOnto(page, page.getByRole("region", { name: `Files in ${project.name}` }), [join(sourceFolder, "Takes")]);
  await expect(uploadPanel(page)).toContainText(/[1-9]\d* of 500/);
  await waitUntilBytesAreStored(page);
  await page.reload();
  await expect(uploadPanel(page)).toContainText(new RegExp(`Uploading \\d+ files to ${project.name}`));
  // The uploads resume where they stopped, also while another view is open.
  await page.getByRole("link", { name: "Chat" }).click();
  await expect(uploadPanel(page)).toContainText(/([4-9]\d|\d{3}) of \d+/);
  const readProgress = async () => (/(\d+) of (\d+)/.exec(await uploadPanel(page).innerText()) ?? []).slice(1).map(Number);
  const [, restored = 0] = await readProgress();
  await uploadPanel(page).getByRole("button", { name: "Show uploads" }).click();
  await uploadPanel(page).getByRole("button", { name: "Cancel all" }).click();
  await page.getByRole("dialog", { name: "Cancel all uploads?" }).getByRole("button", { name: "Cancel all" }).click();
  await expect(uploadPanel(page)).toContainText(new RegExp(`\\d+ files uploaded to ${project.name}`));
  const [done = 0] = await readProgress();
  const uploadedPaths = async () => (await listPaths(ana, project)).filter((path) => !path.endsWith("/"));
  const minimumCount = 500 - restored + done;
  // Up to three parallel uploads may have finished before they were canceled.
  await expect.poll(async () => Math.max(0, (await uploadedPaths()).length - minimumCount - 3)).toBe(0);
  expect((await uploadedPaths()).length).toBeGreaterThanOrEqual(minimumCount);
  expect((await uploadedPaths()).filter((path) => !/^Takes\/(odd|even)\/take \d+\.txt$/.test(path))).toEqual([]);
  expect(
    await countMissedFrames(
      uploadPanel(page)
        .getByRole("link", { name: /^Open take/ })
        .nth(3),
      "[role=list]",
    ),
  ).toBe(0);
  await uploadPanel(page)
    .getByRole("link", { name: `Open ${project.name}` })
    .click();
  await expect(fileRow(page, "Takes")).toBeVisible();
});

/** Keeps the browser's storage from completing a write of an upload's URL until the page is left. */
function holdUploadUrls(): void {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (value: { url?: string | null }, ...rest: IDBValidKey[]) {
    if (typeof value.url === "string") {
      document.documentElement.dataset["urlHeld"] = "";
      // A transaction cannot complete while another request follows.
      const readAgain = () => (this.get("").onsuccess = readAgain);
      readAgain();
    }
    return put.call(this, value, ...rest);
  };
}

test("a page that is left before it could store an upload's URL has sent nothing, so the next page uploads the file once", async ({
  pair: { ana, project },
  open,
}, info) => {
  const sourceFolder = info.outputPath("home");
  writeTree(sourceFolder, { "take 1.txt": "take" });
  const page = await open(ana, "/icon.svg");
  await runBeforeClient(page, holdUploadUrls, null);
  await page.goto(`${ana.url}${filesPath(project)}`);
  await expect(page.getByText("No files yet")).toBeVisible();
  await dropOnto(page, page.getByRole("region", { name: `Files in ${project.name}` }), [join(sourceFolder, "take 1.txt")]);
  await expect(page.locator("html")).toHaveAttribute("data-url-held");
  // Checks several times, so that a request with the file's bytes, which must not be under way, would have arrived.
  for (let request = 0; request < 5; request += 1) expect(await listPaths(ana, project)).toEqual([]);
  await page.unroute("**/theme.js");
  await page.reload();
  await expect(uploadPanel(page)).toContainText(`1 file uploaded to ${project.name}`);
  expect(await listPaths(ana, project)).toEqual(["take 1.txt"]);
});

test("an upload whose folder is deleted shows where it went, waits while it is paused, and shows rejected files", async ({
  pair: { ana, ben, project },
  open,
}, info) => {
  const folderId = await createFolder(ben, project.root_folder_id ?? 0, "Stems");
  const sourceFolder = info.outputPath("home");
  writeTree(sourceFolder, { "kick.wav": Buffer.alloc(3_000_000, 1), "empty.wav": "" });
  const page = await open(ana, filesPath(project, folderId));
  const setUploadRate = await createUploadThrottle(page);
  await expect(page.getByText("This folder is empty")).toBeVisible();
  await setUploadRate(200_000);
  await dropOnto(page, page.getByRole("region", { name: "Files in Stems" }), [join(sourceFolder, "kick.wav"), join(sourceFolder, "empty.wav")]);
  await expect(uploadPanel(page)).toContainText("Uploading 1 file to Stems");
  await uploadPanel(page).getByRole("button", { name: "Show uploads" }).click();
  const item = (name: string) => uploadPanel(page).getByRole("listitem").filter({ hasText: name });
  await expect(item("empty.wav")).toContainText("The file is empty.");
  await expect(item("kick.wav").getByRole("progressbar")).not.toHaveAttribute("aria-valuenow", "0");
  await item("kick.wav").getByRole("button", { name: "Pause kick.wav" }).click();
  await expect(uploadPanel(page)).toContainText("1 file needs attention");
  await call(ben, deleteFiles, { body: { file_ids: [folderId] } });
  await expect(page.getByRole("link", { name: "Go to all files" })).toBeVisible();
  await setUploadRate(null);
  await item("kick.wav").getByRole("button", { name: "Resume kick.wav" }).click();
  await expect(item("kick.wav")).toContainText(/Uploaded to .+ because its original location was deleted\./);
  await item("empty.wav").getByRole("button", { name: "Remove empty.wav" }).click();
  await expect(uploadPanel(page)).toContainText("1 file uploaded");
  expect(await listPaths(ana, project)).toEqual(["kick.wav"]);
});
