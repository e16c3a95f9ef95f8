/** Lists the screenshots of playlists. */
import type { Page } from "@playwright/test";
import { miniPlayer } from "../fixtures/file-page.ts";
import { dialog } from "../fixtures/pages.ts";
import { ana, chatPath, emptyOwner, failRequests, fixedPath, fullShot, main, neverRespond, retryButton, skeleton, type Scene, type Shot } from "./shot.ts";

const playlistPath = ({ playlistId }: Scene) => `/playlists/${playlistId}`;
const firstTrack = (page: Page) => main(page).getByRole("listitem").first();
const PLAYLISTS = "**/api/v2/playlists?*";

export const PLAYLISTS_SHOTS: Shot[] = [
  fullShot("playlists", fixedPath("/playlists"), firstTrack),
  fullShot("playlists-project", ({ projectId }) => `/projects/${projectId}/playlists`, firstTrack),
  fullShot("playlist", playlistPath, firstTrack),
  fullShot("playlist-playing", playlistPath, (page) => miniPlayer(page).getByRole("button", { name: "Next track" }), {
    act: (page) => main(page).getByRole("button", { name: "Play", exact: true }).click(),
  }),
  fullShot("playlist-menu", playlistPath, (page) => page.getByRole("menu").first(), {
    act: (page) => page.getByRole("button", { name: "More actions for Running order, first draft" }).click(),
  }),
  fullShot(
    "playlist-add",
    playlistPath,
    (page) =>
      dialog(page, /^Add tracks/)
        .getByRole("listitem")
        .first(),
    {
      act: (page) => main(page).getByRole("button", { name: "Add tracks" }).filter({ visible: true }).click(),
    },
  ),
  fullShot("playlist-new", fixedPath("/playlists"), (page) => dialog(page, "New playlist"), {
    act: (page) => main(page).getByRole("button", { name: "New playlist" }).click(),
  }),
  fullShot("playlist-in-chat", chatPath, (page) => page.getByRole("region", { name: /^Playlist Running order/ }).first()),
  fullShot("playlist-attached", playlistPath, (page) => page.getByRole("button", { name: /^Remove Running order/ }), {
    act: async (page) => {
      await page.getByRole("button", { name: "More actions for Running order, first draft" }).click();
      await page.getByRole("menuitem", { name: "Share in chat" }).click();
    },
  }),
  // On a phone, a menu leads to the list of playlists.
  fullShot("playlist-attach", chatPath, (page) => dialog(page, "Attach a playlist").getByRole("listitem").or(page.getByRole("menu")).first(), {
    act: (page) => page.getByRole("button", { name: /^Attach( a playlist)?$/ }).click(),
  }),
  fullShot("playlist-gone", fixedPath("/playlists/999999"), (page) => page.getByText("This playlist doesn't exist")),
  { view: "playlists", state: "empty", as: emptyOwner, path: fixedPath("/playlists"), ready: (page) => page.getByText("No playlists yet") },
  { view: "playlists", state: "loading", as: ana, path: fixedPath("/playlists"), before: neverRespond(PLAYLISTS), ready: skeleton },
  { view: "playlists", state: "error", as: ana, path: fixedPath("/playlists"), before: failRequests(PLAYLISTS), ready: retryButton },
];
