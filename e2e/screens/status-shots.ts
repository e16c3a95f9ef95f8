/** Lists the screenshots of a file's status, tags and details, and of a team's status settings. */
import type { Page } from "@playwright/test";
import { dialog } from "../fixtures/pages.ts";
import { statusButton, undoButton } from "../fixtures/statuses.ts";
import { fixedPath, filePath, fullShot, neverRespond, main, type Shot } from "./shot.ts";

const chooseApproved = async (page: Page) => {
  await statusButton(page).click();
  await page.getByRole("menuitemradio", { name: "Approved" }).click();
};
/** Blocks status changes, so that the next screenshot shows the same file. */
const stallStatusRequests = neverRespond("**/v1/files/set_status");
const statusesPath = fixedPath("/settings/statuses");
const pressButton = (name: string | RegExp) => (page: Page) => main(page).getByRole("button", { name }).first().click();

export const STATUS_SHOTS: Shot[] = [
  fullShot("file-status-counting", filePath("sound"), (page) => undoButton(page, "Approved").or(page.getByText("saving…")).first(), {
    before: stallStatusRequests,
    act: chooseApproved,
  }),
  fullShot("file-status-left", filePath("sound"), (page) => page.getByRole("button", { name: "Set now" }), {
    before: stallStatusRequests,
    async act(page) {
      await chooseApproved(page);
      await page.reload();
    },
  }),
  fullShot("file-status-note", filePath("sound"), (page) => page.getByRole("textbox", { name: "Note" }), {
    async act(page) {
      await statusButton(page).click();
      await page.getByRole("menuitem", { name: "Set with a note…" }).click();
    },
  }),
  fullShot("file-tempo", filePath("sound"), (page) => page.getByRole("textbox", { name: "Tempo (bpm)" }), { act: pressButton("Correct tempo") }),
  fullShot("file-key", filePath("sound"), (page) => page.getByRole("button", { name: "New key" }), { act: pressButton("Correct key") }),
  fullShot("file-model", filePath("sound"), (page) => page.getByText("install-model"), {
    act: (page) => page.getByText("install-model").scrollIntoViewIfNeeded(),
  }),
  fullShot("file-facts", filePath("sound"), (page) => page.getByRole("heading", { name: "Tags in the file" }), {
    act: (page) => page.getByRole("heading", { name: "Tags in the file" }).scrollIntoViewIfNeeded(),
  }),
  fullShot("settings-statuses", statusesPath, (page) => page.getByRole("button", { name: "Edit Approved" })),
  fullShot("settings-statuses-edit", statusesPath, (page) => dialog(page, "Edit “Approved”"), { act: pressButton("Edit Approved") }),
  fullShot("settings-statuses-delete", statusesPath, (page) => dialog(page, "Delete “Approved”?").getByRole("button", { name: "Delete" }), {
    act: pressButton("Delete Approved"),
  }),
];
