import { deleteFiles, moveFiles } from "../../../contract/operations/files-view.ts";
import { renameFile } from "../../../contract/operations/files.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { insertFileCopies } from "../../fixtures/file-copies.ts";
import { selectedNames, entry, createFolder, fileGrid, filesPath, entryNames, treeItem, uploadToFolder } from "../../fixtures/files-view.ts";
import { setStatus } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { composer, selectOption, stableBox } from "../../fixtures/pages.ts";
import { createLibrary, createProcessedFile, createProcessedFiles } from "../../fixtures/processed-files.ts";
import { delayRendering } from "../../fixtures/rendering.ts";

test("files are found by name, tempo, key and status in subfolders, and a link shows the same results", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const root = project.root_folder_id ?? 0;
  const stems = await createFolder(ana, root, "Stems");
  const drums = await createFolder(ana, stems, "Drums");
  const mix = await createProcessedFile(organization, ana, project, "mix 2.wav");
  await setStatus(ana, project, mix, "Approved");
  insertFileCopies(organization.service, mix, [{ name: "mix 10.wav", bpm: 96, music_key: "C major" }]);
  insertFileCopies(
    organization.service,
    mix,
    [
      { name: "Kick Über.wav", bpm: 128, music_key: "C major" },
      { name: "snare.wav", bpm: 174 },
    ],
    drums,
  );

  const page = await open(ana, `/projects/${project.id}/chat`);
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await page.getByRole("link", { name: "Folders", exact: true }).click();
  await expect(entry(page, "mix 10.wav")).toBeVisible();
  await expect.poll(() => entryNames(page)).toEqual(["Stems", "mix 2.wav", "mix 10.wav"]);
  await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
  await expect.poll(() => entryNames(page)).toEqual(["Stems", "mix 10.wav", "mix 2.wav"]);
  // The sort order stays when a folder opens.
  await fileGrid(page).getByRole("link", { name: "Stems" }).click();
  await expect(entry(page, "Drums")).toBeVisible();
  await expect(page).toHaveURL(/\?order=desc$/);
  await page.goBack();
  await page.goBack();

  // Searches by name, ignoring case and accents, and shows the path; also while something is selected.
  await entry(page, "mix 10.wav").click();
  await page.keyboard.press("/");
  await page.keyboard.type("UBER");
  await expect.poll(() => entryNames(page)).toEqual(["Kick Über.wav"]);
  await expect(entry(page, "Kick Über.wav")).toContainText("Stems / Drums");
  await expect(page).toHaveURL(/\?q=UBER$/);
  await page.getByRole("button", { name: "Clear search" }).click();
  await expect.poll(() => entryNames(page)).toEqual(["Stems", "mix 2.wav", "mix 10.wav"]);

  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("textbox", { name: "Minimum tempo" }).fill("120");
  await page.getByRole("textbox", { name: "Maximum tempo" }).fill("130");
  await selectOption(page.getByRole("dialog").getByRole("button", { name: "Key" }), /^C major/);
  await expect(page).toHaveURL(/bpm=120-130.*key=/);
  await expect.poll(() => entryNames(page)).toEqual(["Kick Über.wav"]);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("list", { name: "Active filters" })).toContainText("120–130 bpm");
  const filteredUrl = page.url();
  await page.getByRole("button", { name: "Remove filter: 120–130 bpm" }).click();
  await expect.poll(() => entryNames(page)).toEqual(["Kick Über.wav", "mix 10.wav"]);

  const other = await open(ben, filteredUrl);
  await expect.poll(() => entryNames(other)).toEqual(["Kick Über.wav"]);
  await other.getByRole("button", { name: "Clear all" }).click();
  await expect(entry(other, "mix 2.wav")).toContainText("Approved");
});

test("changes of others show immediately; the view follows a moved folder and leads out of a deleted one", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const root = project.root_folder_id ?? 0;
  const [stems, mixes] = [await createFolder(ana, root, "Stems"), await createFolder(ana, root, "Mixes")];
  const takes = await createFolder(ana, stems, "Takes");
  const [bass, vocal] = (await createProcessedFiles(organization, ana, project, ["bass.txt", "vocal.txt"], takes)) as [number, number];
  const page = await open(ben, `/projects/${project.id}/files/${takes}`);
  await entry(page, "bass.txt").click();
  await entry(page, "vocal.txt").click({ modifiers: ["Control"] });
  await expect.poll(() => selectedNames(page)).toEqual(["bass.txt", "vocal.txt"]);

  await uploadToFolder(ana, project, takes, "drums.txt", "drums");
  await expect.poll(() => entryNames(page)).toEqual(["bass.txt", "drums.txt", "vocal.txt"]);
  await expect.poll(() => selectedNames(page)).toEqual(["bass.txt", "vocal.txt"]);
  await call(ana, renameFile, { body: { file_id: bass, name: "x bass.txt" } });
  await expect.poll(() => entryNames(page)).toEqual(["drums.txt", "vocal.txt", "x bass.txt"]);
  await expect.poll(() => selectedNames(page)).toEqual(["vocal.txt", "x bass.txt"]);
  await call(ana, moveFiles, { body: { file_ids: [vocal], parent_id: mixes } });
  await expect.poll(() => entryNames(page)).toEqual(["drums.txt", "x bass.txt"]);
  await expect.poll(() => selectedNames(page)).toEqual(["x bass.txt"]);

  await call(ana, moveFiles, { body: { file_ids: [takes], parent_id: mixes } });
  await expect(page.getByRole("navigation", { name: "Folder" })).toContainText("Mixes");
  await expect(treeItem(page, "Stems")).not.toHaveAttribute("aria-expanded");
  await call(ana, deleteFiles, { body: { file_ids: [takes] } });
  await expect(page.getByRole("main").getByText("“Takes” was deleted")).toBeVisible();
  await page.getByRole("link", { name: "Go to Mixes" }).click();
  await expect.poll(() => entryNames(page)).toEqual(["vocal.txt"]);
  await expect(page.getByRole("heading", { name: "Mixes" })).toBeVisible();
});

test("with 10,000 files every position is reachable immediately by keyboard and touch, and returning from a file restores the position", async ({
  organization,
  pair: { ana, project },
  open,
}) => {
  const library = await createLibrary(organization, ana, project, 10_000);

  const page = await open(ana, filesPath(project));
  // Navigates the tree by keyboard.
  await treeItem(page, project.name).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(entry(page, "take 1.txt")).toBeVisible();
  // The service counts only up to 1,000, so the total is known once the end is reached.
  await expect(fileGrid(page)).toHaveAttribute("aria-rowcount", "-1");
  await entry(page, "take 1.txt").focus();
  await page.keyboard.press("End");
  await expect(entry(page, "take 10000.txt")).toBeFocused();
  await expect(fileGrid(page)).toHaveAttribute("aria-rowcount", "10001");
  await fileGrid(page).evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight / 2 }));
  await expect(entry(page, "take 5000.txt")).toBeVisible();
  await expect(entry(page, "take 5000.txt")).toHaveAttribute("aria-rowindex", "5001");
  await expect.poll(() => fileGrid(page).locator("[data-entry]").count()).toBeLessThan(100);

  await entry(page, "take 5000.txt").click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(entry(page, "take 5002.txt")).toBeFocused();
  await expect.poll(() => selectedNames(page)).toEqual(["take 5001.txt", "take 5002.txt"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`^${ana.url}/files/\\d+$`));
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(entry(page, "take 5002.txt")).toBeFocused();
  await expect(entry(page, "take 5002.txt")).toBeInViewport();

  await page.keyboard.press("End");
  await expect(entry(page, "take 10000.txt")).toBeFocused();
  await page.keyboard.press("Control+a");
  await expect(page.getByText("10,000 selected")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await expect(entry(page, "take 1.txt")).toBeFocused();
  // Pressed without waiting for the page in between, as a person types.
  await Promise.all("take 77".split("").map((key) => page.keyboard.press(key === " " ? "Space" : key)));
  await expect(entry(page, "take 77.txt")).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Grid view" }).click();
  await expect(fileGrid(page).getByRole("gridcell", { name: /^take 1\.txt/ })).toBeVisible();
  await expectAccessible(page, "[role=grid]");

  const phone = await open(ana, `/projects/${project.id}/files/${library}`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await expect(entry(phone, "take 1.txt")).toBeVisible();
  // Counts the vibrations.
  const vibrations = await phone.evaluateHandle(() => {
    const durations: unknown[] = [];
    navigator.vibrate = (pattern) => durations.push(pattern) > 0;
    return durations;
  });
  const box = await stableBox(entry(phone, "take 3.txt"));
  const point = { x: box.x + 150, y: box.y + 45 };
  const touch = await phone.context().newCDPSession(phone);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  await expect(entry(phone, "take 3.txt")).toHaveAttribute("aria-selected", "true");
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await entry(phone, "take 5.txt").tap({ position: { x: 150, y: 45 } });
  await expect.poll(() => selectedNames(phone)).toEqual(["take 3.txt", "take 5.txt"]);
  expect(await vibrations.jsonValue()).toEqual([10]);
  await phone.getByRole("button", { name: "Clear selection" }).tap();
  // After a selection by mouse or keyboard, a tap selects too, without a long press to feel.
  await entry(phone, "take 3.txt").click({ position: { x: 150, y: 45 } });
  await entry(phone, "take 5.txt").tap({ position: { x: 150, y: 45 } });
  await expect.poll(() => selectedNames(phone)).toEqual(["take 3.txt", "take 5.txt"]);
  expect(await vibrations.jsonValue()).toEqual([10]);
  await phone.getByRole("button", { name: "Clear selection" }).tap();
  await entry(phone, "take 5.txt").tap({ position: { x: 150, y: 45 } });
  await expect(phone).toHaveURL(new RegExp(`^${ana.url}/files/\\d+$`));
});

test("a row that is selected while the rest of the folder loads stays selected after Ctrl+A, and focused after End", async ({
  organization,
  pair: { ana, project },
  open,
  network,
}) => {
  const library = await createLibrary(organization, ana, project, 300);
  /** Matches requests for all pages of the listing but the first. */
  const nextPage = /\/projects\/\d+\/files\?(.*&)?cursor=/;
  const pressWhileLoading = async (key: string) => {
    const page = await open(ana, `/projects/${project.id}/files/${library}`);
    const paused = await network.pause(page, nextPage);
    await entry(page, "take 1.txt").click();
    await page.keyboard.press(key);
    await expect.poll(() => paused.urls.length).toBe(1);
    await page.keyboard.press("ArrowDown");
    await expect(entry(page, "take 2.txt")).toBeFocused();
    const response = page.waitForResponse(nextPage);
    await paused.end();
    await response;
    return page;
  };

  await test.step("the row stays selected, and nothing else is, after Ctrl+A", async () => {
    const page = await pressWhileLoading("Control+a");
    // Moves the focus to the end of the loaded listing and selects nothing.
    await page.keyboard.press("Control+End");
    await expect(entry(page, "take 300.txt")).toBeFocused();
    await expect(page.getByText("1 selected", { exact: true })).toBeVisible();
  });

  await test.step("the selected row stays focused after End", async () => {
    const page = await pressWhileLoading("End");
    await page.keyboard.press("Control+a");
    await expect(page.getByText("300 selected", { exact: true })).toBeVisible();
    await expect(entry(page, "take 2.txt")).toBeFocused();
  });
});

test("a list whose rest cannot be loaded says so, and loads it on another attempt", async ({ organization, pair: { ana, project }, open, pageErrors }) => {
  const library = await createLibrary(organization, ana, project, 300);
  const page = await open(ana, filesPath(project, library));
  await expect(entry(page, "take 1.txt")).toBeVisible();
  pageErrors.allow(NETWORK_LOSS);
  const isFurtherPage = (url: URL) => url.searchParams.has("cursor");
  await page.route(isFurtherPage, (route) => route.abort("internetdisconnected"));
  await fileGrid(page).evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
  const alert = page.getByRole("alert").filter({ hasText: "Couldn't load the rest of the list." });
  await expect(alert).toBeVisible();
  await expectAccessible(page);
  await page.unroute(isFurtherPage);
  await alert.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(alert).toHaveCount(0);
  // The focus goes to the list, since the button is gone.
  await expect.poll(() => fileGrid(page).evaluate((grid) => grid.contains(document.activeElement))).toBe(true);
  await fileGrid(page).evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
  await expect(entry(page, "take 300.txt")).toBeVisible();
});

test("the root folder can be searched at the URL with its id too", async ({ pair: { ana, project }, open }) => {
  const root = project.root_folder_id ?? 0;
  await Promise.all(["Stems", "Masters"].map((name) => createFolder(ana, root, name)));
  const page = await open(ana, `/projects/${project.id}/files/${root}`);
  await expect.poll(() => entryNames(page)).toEqual(["Masters", "Stems"]);
  await page.keyboard.press("/");
  await page.keyboard.type("stem");
  await expect.poll(() => entryNames(page)).toEqual(["Stems"]);
  await expect(page).toHaveURL(/\?q=stem$/);
});

test("a link that is clicked right after typing in the search leads to its page, before React has rendered it", async ({ pair: { ana, project }, open }) => {
  await createFolder(ana, project.root_folder_id ?? 0, "Stems");
  const page = await open(ana, "/icon.svg");
  await page.clock.install();
  await page.goto(`${ana.url}${filesPath(project)}`);
  await expect(entry(page, "Stems")).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("ste");
  const rendering = await delayRendering(page);
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await expect(page).toHaveURL(/\/chat$/);
  // The search is written to the URL a quarter of a second after the last key.
  await page.clock.fastForward(300);
  await rendering.release();
  await expect(composer(page)).toBeVisible();
  await expect(page).toHaveURL(/\/chat$/);
});
