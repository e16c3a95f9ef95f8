/** Lists the screenshots of file actions in the files view: dialogs, menus, toasts and the uploads panel. */
import type { Page } from "@playwright/test";
import { randomFile as randomUpload } from "../fixtures/attach-files.ts";
import { uploadPanel, fileRow, toasts } from "../fixtures/files-view.ts";
import { ana, fullShot, mockUploads, QUOTA_USED_UP, type Scene, type Shot } from "./shot.ts";

const filesPath = ({ filesProjectId }: Scene) => `/projects/${filesProjectId}/files/folders`;
const SOUND = "nightdrive_mix_v4.wav";

async function openMenu(page: Page, name: string): Promise<void> {
  await fileRow(page, name)
    .getByRole("button", { name: `More actions for ${name}` })
    .click();
}
const chooseMenuItem =
  (item: string, name = SOUND) =>
  async (page: Page) => {
    await openMenu(page, name);
    await page.getByRole("menuitem", { name: item }).click();
  };
const dialog = (page: Page) => page.getByRole("dialog").last();
const filesShot = (state: string, act: Shot["act"], ready: Shot["ready"], overrides: Partial<Shot> = {}): Shot => ({
  view: "files-actions",
  state,
  as: ana,
  path: filesPath,
  ready,
  ...(act ? { act } : {}),
  ...overrides,
});

/** Chooses uploads of which one is rejected, one empty, and the others are in progress or queued. */
async function chooseUploads(page: Page): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name: "Upload files" }).click();
  const names = ["full_mix.wav", "verse_take_7.wav", "bridge_vocal_double_with_a_very_long_name.wav", "chorus.wav", "cover_final.png"];
  await (await chooser).setFiles(names.map((name, index) => randomUpload(name, index === 3 ? 0 : 400_000 * (index + 1))));
  await uploadPanel(page).waitFor();
}
const expandUploads = (page: Page) => page.getByRole("button", { name: "Show uploads" }).click();

async function renameToTakenName(page: Page): Promise<void> {
  await chooseMenuItem("Rename")(page);
  await page.keyboard.type("cover.png");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("cover.png");
  await page.keyboard.press("Enter");
}

export const FILES_ACTIONS_SHOTS: Shot[] = [
  filesShot(
    "menu",
    (page) => openMenu(page, SOUND),
    (page) => page.getByRole("menuitem", { name: "Open" }),
  ),
  filesShot(
    "add-version",
    async (page) => {
      await openMenu(page, SOUND);
      await page.getByRole("menuitem", { name: "Add a version…" }).hover();
    },
    (page) => page.getByText("Resets the status to"),
  ),
  filesShot(
    "add",
    (page) => page.getByRole("button", { name: "Add", exact: true }).click(),
    (page) => page.getByRole("menuitem", { name: "New folder" }),
  ),
  filesShot(
    "selected",
    async (page) => {
      await fileRow(page, SOUND).focus();
      await page.keyboard.press("ControlOrMeta+a");
    },
    (page) => page.getByRole("toolbar", { name: "Actions for the selection" }),
  ),
  filesShot("rename-refused", renameToTakenName, (page) => page.getByText(/already exists here/).first()),
  filesShot(
    "new-folder",
    async (page) => {
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("menuitem", { name: "New folder" }).click();
    },
    (page) => page.getByRole("textbox", { name: "Folder name" }),
  ),
  filesShot("move", chooseMenuItem("Move to…"), (page) => dialog(page).getByRole("treegrid")),
  filesShot("versions", chooseMenuItem("Versions…"), (page) => dialog(page).getByRole("listitem").first()),
  filesShot("protection", chooseMenuItem("Protection…"), dialog),
  filesShot("status", chooseMenuItem("Set status…"), (page) => dialog(page).getByRole("radio").first()),
  filesShot(
    "deleted",
    async (page) => {
      await page.route("**/api/v2/files/delete", () => {});
      await chooseMenuItem("Delete", "inlay.png")(page);
    },
    (page) => toasts(page).getByRole("button", { name: "Undo" }),
  ),
  filesShot("uploads-folded", chooseUploads, (page) => uploadPanel(page).getByText(/Uploading/), {
    before: mockUploads({ rejected: { "full_mix.wav": QUOTA_USED_UP } }),
  }),
  filesShot(
    "uploads",
    async (page) => {
      await chooseUploads(page);
      await expandUploads(page);
      await page.getByText(/Your organization doesn't have enough storage/).waitFor();
    },
    (page) => page.getByText("The file is empty."),
    { before: mockUploads({ rejected: { "full_mix.wav": QUOTA_USED_UP } }) },
  ),
  fullShot("files-actions", filesPath, (page) => fileRow(page, SOUND)),
];
