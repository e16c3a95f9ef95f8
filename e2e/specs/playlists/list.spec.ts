import { updatePlaylist } from "../../../contract/operations/playlists.ts";
import { call } from "../../fixtures/api.ts";
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
