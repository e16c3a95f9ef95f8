/** What one does with files in the files view: its dialogs, menus, toasts and the panel of uploads. */
import type { Page } from "@playwright/test";
import { file as fileOf } from "../fixtures/choosing.ts";
import { panel, row, toasts } from "../fixtures/file-acts.ts";
import { ana, full, type Scene, type Shot } from "./shot.ts";

const files = ({ filesProjectId }: Scene) => `/projects/${filesProjectId}/files`;
const SOUND = "nightdrive_mix_v4.wav";
const UPLOADS = "**/api/v2/uploads**";

async function openMenu(page: Page, name: string): Promise<void> {
  await row(page, name)
    .getByRole("button", { name: `More for ${name}` })
    .click();
}
const fromMenu =
  (item: string, name = SOUND) =>
  async (page: Page) => {
    await openMenu(page, name);
    await page.getByRole("menuitem", { name: item }).click();
  };
const dialog = (page: Page) => page.getByRole("dialog").last();
const shot = (state: string, act: Shot["act"], ready: Shot["ready"], more: Partial<Shot> = {}): Shot => ({
  view: "files-actions",
  state,
  as: ana,
  path: files,
  ready,
  ...(act ? { act } : {}),
  ...more,
});

/** One is done, one under way, one waits, one was refused, one is empty. */
async function heldUploads(page: Page): Promise<void> {
  await page.route(UPLOADS, async (route) => {
    const request = route.request();
    const [, encoded = ""] = /name (\S+?)(,|$)/.exec(request.headers()["upload-metadata"] ?? "") ?? [];
    const name = Buffer.from(encoded, "base64").toString();
    if (name === "full_mix.wav")
      return route.fulfill({
        status: 413,
        json: { object: "error", status: 413, title: "Too large", detail: "Your organisation has no room left for this file." },
      });
    // Held for ever.
    if (request.method() === "POST") return undefined;
    return route.continue();
  });
}
async function bring(page: Page): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name: "Upload files" }).click();
  const names = ["full_mix.wav", "verse_take_7.wav", "bridge_vocal_double_with_a_very_long_name.wav", "chorus.wav", "cover_final.png"];
  await (await chooser).setFiles(names.map((name, index) => fileOf(name, index === 3 ? 0 : 400_000 * (index + 1))));
  await panel(page).waitFor();
}
const unfold = (page: Page) => page.getByRole("button", { name: "Show the files" }).click();

async function refusedName(page: Page): Promise<void> {
  await fromMenu("Rename")(page);
  await page.keyboard.type("cover.png");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("cover.png");
  await page.keyboard.press("Enter");
}

export const FILES_ACTIONS_SHOTS: Shot[] = [
  shot(
    "menu",
    (page) => openMenu(page, SOUND),
    (page) => page.getByRole("menuitem", { name: "Open" }),
  ),
  shot(
    "add",
    (page) => page.getByRole("button", { name: "Add", exact: true }).click(),
    (page) => page.getByRole("menuitem", { name: "New folder" }),
  ),
  shot(
    "selected",
    async (page) => {
      await row(page, SOUND).focus();
      await page.keyboard.press("ControlOrMeta+a");
    },
    (page) => page.getByRole("toolbar", { name: "Actions for the selection" }),
  ),
  shot("rename-refused", refusedName, (page) => page.getByText(/already is a file/).first()),
  shot(
    "new-folder",
    async (page) => {
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("menuitem", { name: "New folder" }).click();
    },
    (page) => page.getByRole("textbox", { name: "Name of the new folder" }),
  ),
  shot("move", fromMenu("Move to…"), (page) => dialog(page).getByRole("tree")),
  shot("versions", fromMenu("Versions…"), (page) => dialog(page).getByRole("listitem").first()),
  shot("protection", fromMenu("Protection…"), dialog),
  shot("status", fromMenu("Set status…"), (page) => dialog(page).getByRole("radio").first()),
  shot(
    "deleted",
    async (page) => {
      await page.route("**/api/v2/files/delete", () => {});
      await fromMenu("Delete", "inlay.png")(page);
    },
    (page) => toasts(page).getByRole("button", { name: "Undo" }),
  ),
  shot("uploads-folded", bring, (page) => panel(page).getByText(/Uploading/), { before: heldUploads }),
  shot(
    "uploads",
    async (page) => {
      await bring(page);
      await unfold(page);
      await page.getByText(/Your organisation has no room/).waitFor();
    },
    (page) => page.getByText("The file is empty."),
    { before: heldUploads },
  ),
  full("files-actions", files, (page) => row(page, SOUND)),
];
