import { expectAccessible } from "../../fixtures/axe.ts";
import { favorites, listFavorites, listRecentItems, recentItems } from "../../fixtures/favorites.ts";
import { miniPlayer, playButton } from "../../fixtures/file-page.ts";
import { setStatus } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { dialog, newTab, railProject } from "../../fixtures/pages.ts";
import { writePlaylist } from "../../fixtures/playlists.ts";
import { createProcessedFile, createProcessedFiles } from "../../fixtures/processed-files.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test("what one opens and plays is listed newest first in every tab, private, removable, and cleared at once", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
}) => {
  const first = await createProcessedFile(organization, ana, project, "first.wav");
  const second = await createProcessedFile(organization, ana, project, "second.wav");
  const page = await open(ana, `/files/${first}`);
  await expect(recentItems(page).getByRole("listitem")).toHaveText(["first.wav"]);
  const otherTab = await newTab(page, `${ana.url}/files/${second}`);
  for (const tab of [page, otherTab]) await expect(recentItems(tab).getByRole("listitem")).toHaveText(["second.wav", "first.wav"]);

  await playButton(page).click();
  for (const tab of [page, otherTab]) await expect(recentItems(tab).getByRole("listitem")).toHaveText(["first.wav", "second.wav"]);

  await railProject(page, project.name).click();
  await expect.poll(() => listRecentItems(ana)).toEqual([`project ${project.name}`, "file first.wav", "file second.wav"]);
  expect(await listRecentItems(ben)).toEqual([]);

  await test.step("the palette lists them without the page that is open", async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("option").first()).toHaveText(`first.wav${project.name}`);
    // Only the search knows the status of a file.
    await setStatus(ana, project, first, "In review");
    await page.getByRole("combobox").fill("in review");
    await expect(page.getByRole("option", { name: "first.wav" })).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await recentItems(page).getByRole("link", { name: "Recent" }).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("listitem")).toHaveCount(3);
  await expect(main.getByRole("listitem").filter({ hasText: "first.wav" })).toContainText("Played just now");
  await expect(main.getByRole("listitem").filter({ hasText: "second.wav" })).toContainText("Opened just now");
  await expectAccessible(page);
  await expect(page.getByRole("heading", { name: "Recent", exact: true, level: 1 })).toBeVisible();
  // A row stays until the service has removed it.
  const removal = await network.pause(page, "**/api/v2/recent-items/**", { method: "DELETE" });
  await main.getByRole("button", { name: "Remove second.wav from recent" }).press("Enter");
  await expect.poll(() => removal.urls.length).toBe(1);
  await expect(main.getByRole("link", { name: "second.wav" })).toBeVisible();
  await removal.end();
  await expect(main.getByRole("link", { name: "first.wav" })).toBeFocused();
  await expect(recentItems(otherTab).getByRole("link", { name: "second.wav" })).toHaveCount(0);

  await main.getByRole("button", { name: "Clear recent" }).click();
  await dialog(page, "Clear recent items?").getByRole("button", { name: "Clear recent" }).click();
  await expect(main.getByText("Nothing opened yet")).toBeVisible();
  await expect(recentItems(otherTab)).toHaveCount(0);
  expect(await listRecentItems(ana)).toEqual([]);
});

test("a playlist is starred on its page, and while it plays it is the recent item instead of its tracks", async ({
  organization,
  pair: { ana, project },
  open,
}) => {
  const ids = await createProcessedFiles(organization, ana, project, ["one.wav", "two.wav"]);
  const { id } = await writePlaylist(ana, project, "Album order", ids);
  const page = await open(ana, `/playlists/${id}`);
  const main = page.getByRole("main");
  await expect(recentItems(page).getByRole("listitem")).toHaveText(["Album order"]);
  await main.getByRole("button", { name: "Add to favorites" }).click();
  await expect(favorites(page).getByRole("link", { name: "Album order" })).toHaveAttribute("aria-current", "page");

  await page.goto(`${ana.url}/files/${ids[0]}`);
  await expect(recentItems(page).getByRole("listitem")).toHaveText(["one.wav", "Album order"]);
  await favorites(page).getByRole("link", { name: "Album order" }).click();
  await main.getByRole("button", { name: "Play two.wav" }).click();
  await expect(miniPlayer(page).getByRole("button", { name: "Pause two.wav" })).toBeVisible();
  await recentItems(page).getByRole("link", { name: "Recent" }).click();
  await expect(main.getByRole("listitem")).toHaveText([/^Album order.*Played just now/, /^one.wav/]);
});

test("on a phone, favorites and recent items are above the projects, and are removed on their page", async ({ organization, pair: { ana, project }, open }) => {
  const file = await createProcessedFile(organization, ana, project, "pocket.wav");
  const page = await open(ana, `/files/${file}`, PHONE);
  await page.getByRole("main").getByRole("button", { name: "Add to favorites" }).tap();
  await expect.poll(() => listFavorites(ana)).toEqual(["file pocket.wav"]);
  await expect.poll(() => listRecentItems(ana)).toEqual(["file pocket.wav"]);
  await page.goto(ana.url);
  await expect(recentItems(page).getByRole("link", { name: "pocket.wav" })).toBeInViewport();
  await recentItems(page).getByRole("link", { name: "Recent" }).tap();
  await page.getByRole("main").getByRole("button", { name: "Remove pocket.wav from recent" }).tap();
  await expect(page.getByRole("main").getByText("Nothing opened yet")).toBeVisible();
  expect(await listRecentItems(ana)).toEqual([]);
  await page.getByRole("link", { name: "Favorites", exact: true }).tap();
  await expect(page.getByRole("main").getByRole("link", { name: "pocket.wav" })).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
