/** Status, tags and facts of a file, and the settings of a team's statuses. */
import type { Page } from "@playwright/test";
import { dialog } from "../fixtures/pages.ts";
import { statusButton, undo } from "../fixtures/statuses.ts";
import { at, file, full, held, main, type Shot } from "./shot.ts";

const choose = async (page: Page) => {
  await statusButton(page).click();
  await page.getByRole("menuitemradio", { name: "Approved" }).click();
};
/** Nothing that a picture chooses reaches the service: the next picture shows the same file. */
const unsent = held("**/v1/files/set_status");
const statuses = at("/settings/statuses");
const press = (name: string | RegExp) => (page: Page) => main(page).getByRole("button", { name }).first().click();

export const STATUS_SHOTS: Shot[] = [
  full("file-status-counting", file("sound"), (page) => undo(page, "Approved").or(page.getByText("setting…")).first(), { before: unsent, act: choose }),
  full("file-status-left", file("sound"), (page) => page.getByRole("button", { name: "Set it now" }), {
    before: unsent,
    async act(page) {
      await choose(page);
      await page.reload();
    },
  }),
  full("file-status-note", file("sound"), (page) => page.getByRole("textbox", { name: "Note" }), {
    async act(page) {
      await statusButton(page).click();
      await page.getByRole("menuitem", { name: "With a note…" }).click();
    },
  }),
  full("file-tempo", file("sound"), (page) => page.getByRole("textbox", { name: "Tempo in bpm" }), { act: press("Correct the tempo") }),
  full("file-key", file("sound"), (page) => page.getByRole("combobox", { name: "New key" }), { act: press("Correct the key") }),
  full("file-facts", file("sound"), (page) => page.getByRole("heading", { name: "Written in the file" }), {
    act: (page) => page.getByRole("heading", { name: "Written in the file" }).scrollIntoViewIfNeeded(),
  }),
  full("settings-statuses", statuses, (page) => page.getByRole("button", { name: "Edit Approved" })),
  full("settings-statuses-edit", statuses, (page) => dialog(page, "Edit “Approved”"), { act: press("Edit Approved") }),
  full("settings-statuses-delete", statuses, (page) => dialog(page, "Delete “Approved”?").getByRole("button", { name: "Delete" }), {
    act: press("Delete Approved"),
  }),
];
