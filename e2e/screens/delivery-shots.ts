/** Lists the screenshots of delivery rules: the settings of a team, and the check on a file's page. */
import type { Page } from "@playwright/test";
import { deliveryPanel } from "../fixtures/delivery-rules.ts";
import { entry } from "../fixtures/files-view.ts";
import { dialog } from "../fixtures/pages.ts";
import { ana, emptyOwner, failRequests, fixedPath, fullShot, main, neverRespond, retryButton, type Scene, skeleton, type Shot } from "./shot.ts";

const settingsPath = fixedPath("/settings/delivery-rules");
const songsPath = ({ projectId }: Scene) => `/projects/${projectId}/files?kind=audio&q=i`;
const RULES = "**/api/v2/teams/*/delivery-rules";
const guest = ({ access }: Scene) => access.guest;
const saveButton = (page: Page) => main(page).getByRole("button", { name: "Save rules" });
const openSong = (song: string) => async (page: Page) => {
  await entry(page, song).getByRole("link", { name: song }).click();
  await deliveryPanel(page).getByRole("listitem").first().scrollIntoViewIfNeeded();
};
const checks = (page: Page) => deliveryPanel(page).getByRole("listitem").first();

export const DELIVERY_SHOTS: Shot[] = [
  fullShot("settings-delivery", settingsPath, saveButton),
  fullShot(
    "settings-delivery-invalid",
    settingsPath,
    (page) =>
      main(page)
        .getByText(/^Enter a number from/)
        .first(),
    {
      async act(page) {
        await page.getByLabel("Integrated loudness (LUFS)").fill("loud");
        await page.getByLabel("File name", { exact: true }).fill("{artist}_{title}");
        await saveButton(page).click();
      },
    },
  ),
  fullShot("settings-delivery-leave", settingsPath, (page) => dialog(page, "Discard unsaved changes?"), {
    async act(page) {
      await page.getByRole("button", { name: /^Broadcast/ }).click();
      await main(page).getByRole("link", { name: "Profile" }).click();
    },
  }),
  { view: "settings-delivery", state: "empty", as: emptyOwner, path: settingsPath, ready: saveButton },
  { view: "settings-delivery", state: "read-only", as: guest, path: settingsPath, ready: (page) => main(page).getByText("Loudness", { exact: true }) },
  { view: "settings-delivery", state: "loading", as: ana, path: settingsPath, before: neverRespond(RULES), ready: skeleton },
  { view: "settings-delivery", state: "error", as: ana, path: settingsPath, before: failRequests(RULES), ready: retryButton },
  fullShot("file-delivery-failed", songsPath, checks, { act: openSong("Nightdrive instrumental.wav") }),
  fullShot("file-delivery-passed", songsPath, checks, { act: openSong("Nightdrive mix.wav") }),
];
