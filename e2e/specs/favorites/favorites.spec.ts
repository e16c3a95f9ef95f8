import { deleteMessage } from "../../../contract/operations/messages.ts";
import { call, createMessage, createProject } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { addFavorite, favorites, listFavorites } from "../../fixtures/favorites.ts";
import { createFolder, entry, filesPath, toasts } from "../../fixtures/files-view.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog, message, newTab, openMenu, rail } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";

const ADD = { name: "Add to favorites", exact: true };
const REMOVE = { name: "Remove from favorites", exact: true };

test("a project, a file, a folder and a message become favorites, in every tab and for nobody else", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const fileId = await createProcessedFile(organization, ana, project, "nightdrive_mix.wav");
  await createFolder(ana, project.root_folder_id, "Stems");
  const messageId = (await createMessage(ben, project.id, `Ask <@${ana.id}> about the **outro**`)).id;
  const page = await open(ana, `/projects/${project.id}/chat`);
  const otherTab = await newTab(page, `${ana.url}/tasks`);
  const benPage = await open(ben, `/projects/${project.id}/chat`);
  const main = page.getByRole("main");

  await test.step("the project, in its header", async () => {
    await main.getByRole("button", ADD).click();
    await expect(main.getByRole("button", REMOVE)).toBeVisible();
    await expect(favorites(page).getByRole("link", { name: project.name })).toHaveAttribute("aria-current", "page");
    await expect(favorites(otherTab).getByRole("link", { name: project.name })).toBeVisible();
  });

  await test.step("a message, in its menu and by key", async () => {
    await openMenu(page, "about the outro");
    await page.getByRole("menuitem", ADD).click();
    await expect(message(page, "about the outro").getByRole("img", { name: "Favorite" })).toBeVisible();
    await message(page, "about the outro").getByRole("article").focus();
    await page.keyboard.press("f");
    await expect(message(page, "about the outro").getByRole("img", { name: "Favorite" })).toHaveCount(0);
    await expect.poll(() => listFavorites(ana)).toEqual([`project ${project.name}`]);
    await page.keyboard.press("f");
    await expect(favorites(page).getByRole("link", { name: `Ask @${ana.name} about the outro` })).toBeVisible();
  });

  await test.step("a folder, in the menu of the files view", async () => {
    await page.goto(`${ana.url}${filesPath(project)}`);
    await entry(page, "Stems").click({ button: "right" });
    await page.getByRole("menuitem", ADD).click();
    await expect(favorites(page).getByRole("link", { name: "Stems" })).toBeVisible();
    await entry(page, "Stems").click({ button: "right" });
    await expect(page.getByRole("menuitem", REMOVE)).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("a file, on its page", async () => {
    await page.goto(`${ana.url}/files/${fileId}`);
    await main.getByRole("button", ADD).click();
    await expect(favorites(page).getByRole("link", { name: "nightdrive_mix.wav" })).toHaveAttribute("aria-current", "page");
    await expect(favorites(otherTab).getByRole("listitem")).toHaveCount(4);
    await expectAccessible(page);
  });

  await expect
    .poll(() => listFavorites(ana))
    .toEqual(["file nightdrive_mix.wav", "file Stems", `message Ask @${ana.name} about the **outro**`, `project ${project.name}`]);
  await expect(rail(benPage).getByRole("link", { name: project.name })).toBeVisible();
  await expect(favorites(benPage)).toHaveCount(0);
  expect(await listFavorites(ben)).toEqual([]);

  await test.step("each leads to its place", async () => {
    await favorites(page).getByRole("link", { name: "about the outro" }).click();
    await expect(page).toHaveURL(new RegExp(`/projects/${project.id}/chat/${messageId}$`));
    await favorites(page).getByRole("link", { name: "Stems" }).click();
    await expect(page).toHaveURL(new RegExp(`/projects/${project.id}/files/\\d+$`));
  });

  await test.step("one is removed in the navigation, and what is deleted leaves it", async () => {
    await favorites(page).getByRole("link", { name: "Stems" }).hover();
    await favorites(page).getByRole("button", { name: "Remove Stems from favorites" }).click();
    await expect(favorites(page).getByRole("link", { name: "Stems" })).toHaveCount(0);
    await expect(favorites(otherTab).getByRole("link", { name: "Stems" })).toHaveCount(0);
    await toasts(page).getByRole("button", { name: "Undo" }).click();
    await expect(favorites(page).getByRole("listitem").nth(1)).toHaveText("Stems");
    await call(ben, deleteMessage, { params: { project_id: project.id, message_id: messageId } });
    await expect(favorites(page).getByRole("listitem")).toHaveText([project.name, "Stems", "nightdrive_mix.wav"]);
    // By keyboard, the focus goes to the next one.
    await favorites(page).getByRole("button", { name: "Remove Stems from favorites" }).press("Enter");
    await expect(favorites(page).getByRole("listitem")).toHaveText([project.name, "nightdrive_mix.wav"]);
    await expect(favorites(page).getByRole("link", { name: "nightdrive_mix.wav" })).toBeFocused();
  });
});

test("the page of favorites filters them, and removes one with undo", async ({ organization, pair: { ana, ben, project }, open }) => {
  await addFavorite(ana, "project", project.id);
  await addFavorite(ana, "file", await createProcessedFile(organization, ana, project, "single.wav"));
  await addFavorite(ana, "message", (await createMessage(ben, project.id, "Ship it")).id);
  const page = await open(ana, "/favorites");
  const main = page.getByRole("main");
  await expect(main.getByRole("listitem")).toHaveCount(3);
  await expect(main.getByRole("listitem").first()).toContainText(`${ben.name} · ${project.name} · Added just now`);
  await expect(page.getByRole("heading", { name: "Favorites", exact: true, level: 1 })).toBeVisible();
  await expectAccessible(page);

  await main.getByRole("button", { name: "Files" }).click();
  await expect(main.getByRole("listitem")).toHaveCount(1);
  await main.getByRole("button", { name: "Remove single.wav from favorites" }).click();
  await expect(main.getByText("No favorites of this type.")).toBeVisible();
  await toasts(page).getByRole("button", { name: "Undo" }).click();
  await expect(main.getByRole("link", { name: "single.wav" })).toBeVisible();
  await expect.poll(() => listFavorites(ana)).toEqual(["file single.wav", "message Ship it", `project ${project.name}`]);

  await main.getByRole("button", { name: "All" }).click();
  await main.getByRole("link", { name: "Ship it" }).click();
  await expect(message(page, "Ship it")).toBeVisible();
});

test("the palette lists favorites first, and finds them from any page", async ({ pair: { ana, ben, project }, open }) => {
  const elsewhere = await createProject(ana, `${project.name} elsewhere`);
  await addFavorite(ana, "message", (await createMessage(ben, project.id, "The label wants 44.1")).id);
  const page = await open(ana, `/projects/${elsewhere.id}/chat`);
  await expect(favorites(page).getByRole("listitem")).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option").first()).toHaveText(`The label wants 44.1${ben.name} · ${project.name}`);
  await page.getByRole("combobox").fill("label 44");
  await expect(page.getByRole("option").first()).toHaveText(/^The label wants/);
  await page.keyboard.press("Enter");
  await expect(message(page, "The label wants 44.1")).toBeVisible();
  await expect(dialog(page, "Search")).toHaveCount(0);
});

test("a favorite that the service refuses is taken back, with the reason", async ({ pair: { ana, project }, open, network, pageErrors }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await network.replyWithProblem(page, `**/api/v2/favorites/project/${project.id}`, 409, "You can have at most 500 favorites. Remove one first.");
  pageErrors.allow(statusError(409));
  await page.getByRole("main").getByRole("button", ADD).click();
  await expect(toasts(page)).toContainText("Couldn't change your favorites. You can have at most 500 favorites.");
  await expect(page.getByRole("main").getByRole("button", ADD)).toBeVisible();
  await expect(favorites(page)).toHaveCount(0);
});

test("sections of the navigation collapse, also for the next visit", async ({ pair: { ana, project }, open }) => {
  await addFavorite(ana, "project", project.id);
  const page = await open(ana, "/tasks");
  await expect(favorites(page).getByRole("link", { name: project.name })).toBeVisible();
  await favorites(page).getByRole("button", { name: "Collapse Favorites" }).press("Enter");
  await expect(favorites(page).getByRole("listitem")).toHaveCount(0);
  await page.reload();
  const expand = favorites(page).getByRole("button", { name: "Expand Favorites" });
  await expect(expand).toBeVisible();
  await expect(favorites(page).getByRole("listitem")).toHaveCount(0);
  await expectAccessible(page);
  await expand.press("Enter");
  await expect(favorites(page).getByRole("link", { name: project.name })).toBeVisible();

  await page.setViewportSize({ width: 900, height: 800 });
  await favorites(page).getByRole("link", { name: "Favorites" }).click();
  await expect(page).toHaveURL(/\/favorites$/);
});
