import { updatePlaylist } from "../../../contract/operations/playlists.ts";
import { call } from "../../fixtures/api.ts";
import { dialog } from "../../fixtures/pages.ts";
import { writePlaylist } from "../../fixtures/playlists.ts";
import { expect, test } from "../../fixtures/test.ts";

test("the page of all playlists shows what another person creates and renames", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ben, "/playlists");
  await expect(page.getByText("No playlists yet")).toBeVisible();
  const playlist = await writePlaylist(ana, project, "Running order");
  await expect(page.getByRole("link", { name: "Running order" })).toBeVisible();
  await call(ana, updatePlaylist, { params: { playlist_id: playlist.id }, body: { name: "Side A" } });
  await expect(page.getByRole("link", { name: "Side A" })).toBeVisible();
});

test("the palette creates a playlist from any page", async ({ pair: { ana }, open }) => {
  const page = await open(ana, "/tasks");
  await expect(page.getByRole("heading", { name: "My tasks" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("new playl");
  await expect(page.getByRole("option").first()).toHaveText("New playlist");
  await page.keyboard.press("Enter");
  const create = dialog(page, "New playlist");
  await expect(page.getByRole("heading", { name: "My tasks" })).toBeVisible();
  await create.getByRole("textbox", { name: "Name" }).fill("Side A");
  await create.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Side A" })).toBeVisible();
  // The dialog is no page to go back to.
  await page.goBack();
  await expect(page.getByRole("heading", { name: "My tasks" })).toBeVisible();
});
