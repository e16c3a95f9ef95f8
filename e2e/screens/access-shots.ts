/** Lists the screenshots of who may do what: audit log, reset links, new versions, endpoints of former admins, and refusals at a limit. */
import type { Page } from "@playwright/test";
import { attachFiles, randomFile as randomUpload, uploadCard } from "../fixtures/attach-files.ts";
import { fileRow } from "../fixtures/files-view.ts";
import { dialog, send } from "../fixtures/pages.ts";
import {
  ana,
  DISK_FULL,
  failRequests,
  FILE_LIST,
  filesChatPath,
  fixedPath,
  fullShot,
  limitRequests,
  main,
  mockUploads,
  neverRespond,
  QUOTA_USED_UP,
  retryButton,
  signedOut,
  TOO_MANY_REQUESTS,
  type Scene,
  type Shot,
} from "./shot.ts";

const AUDIT = "**/api/v2/audit*";
const RESET_PREVIEW = "**/api/v2/password-resets/preview";
const SEND = "**/v1/account/projects/chat_message";
const membersPath = fixedPath("/settings/members");
const guest = ({ access }: Scene) => access.guest;
const accessFilesPath = ({ access }: Scene) => `/projects/${access.projectId}/files/folders`;
const auditEntry = (page: Page) => main(page).getByRole("list").getByRole("listitem").first();
const auditShot = (state: string, query: (scene: Scene) => string, overrides: Partial<Shot> = {}): Shot => ({
  view: "settings-audit",
  state,
  as: ana,
  path: (scene) => `/settings/audit?${query(scene)}`,
  ready: auditEntry,
  ...overrides,
});

const openMemberMenu = (name: string, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

/** Opens the menu of a file where its entry about new versions is described. */
const openVersionMenu = (name: string) => async (page: Page) => {
  await fileRow(page, name)
    .getByRole("button", { name: `More actions for ${name}` })
    .click();
  await page.getByRole("menuitem", { name: "Add a version…" }).hover({ force: true });
};
const versionShot = (state: string, as: Shot["as"], name: string): Shot => ({
  view: "files-version",
  state,
  as,
  path: accessFilesPath,
  act: openVersionMenu(name),
  ready: (page) => page.getByRole("menuitem", { name: "Add a version…" }),
});

const REJECTED = { "stems_full.wav": QUOTA_USED_UP, "mix_v7.wav": DISK_FULL, "chorus.wav": TOO_MANY_REQUESTS };
const rejectUploads = mockUploads({ rejected: REJECTED });
const rejectedFiles = () => Object.keys(REJECTED).map((name) => randomUpload(name, 60_000));

export const ACCESS_SHOTS: Shot[] = [
  auditShot("filtered", () => "group=sign_in&time=week"),
  auditShot("long", ({ access }) => `person=${access.long.id}`),
  auditShot("older", () => "", {
    ready: (page) => page.getByRole("button", { name: "Show older" }),
    act: (page) => page.getByRole("button", { name: "Show older" }).scrollIntoViewIfNeeded(),
  }),
  auditShot("empty", () => "", {
    before: (page) => page.route(AUDIT, (route) => route.fulfill({ json: { object: "list", data: [], next_cursor: null } })),
    ready: (page) => page.getByText("Nothing recorded yet"),
  }),
  fullShot("settings-members-resets", membersPath, (page) => page.getByText("Pending password resets"), {
    act: async (page) => {
      await main(page).getByRole("button", { name: "Revoke" }).last().waitFor();
      await main(page).getByRole("button", { name: "Revoke" }).last().scrollIntoViewIfNeeded();
    },
  }),
  fullShot("settings-members-reset-link", membersPath, (page) => page.getByRole("textbox", { name: "Reset link" }), {
    act: openMemberMenu("Kim Solberg", "Password reset link"),
  }),
  fullShot("settings-members-disable", membersPath, (page) => dialog(page, "Disable Rosa Admin?").getByRole("link"), {
    act: openMemberMenu("Rosa Admin", "Disable"),
  }),
  fullShot(
    "reset-admin",
    ({ access }) => access.adminResetLink,
    (page) => page.getByRole("button", { name: "Save and sign in" }),
    { as: signedOut },
  ),
  {
    view: "reset",
    state: "loading",
    as: signedOut,
    path: ({ resetLink }) => resetLink,
    before: neverRespond(RESET_PREVIEW),
    ready: (page) => page.getByRole("heading", { name: "Loading" }),
  },
  { view: "reset", state: "error", as: signedOut, path: ({ resetLink }) => resetLink, before: failRequests(RESET_PREVIEW), ready: retryButton },
  fullShot("settings-statuses-member", fixedPath("/settings/statuses"), (page) => page.getByText("Approved"), { as: ({ access }) => access.long }),
  versionShot("foreign", guest, "label_notes.txt"),
  versionShot("own", guest, "own_take.txt"),
  versionShot("approved", guest, "approved_take.txt"),
  versionShot("protected", guest, "protected_take.txt"),
  {
    view: "files-version",
    state: "dialog-refused",
    as: guest,
    path: accessFilesPath,
    act: async (page) => {
      await fileRow(page, "approved_take.txt").getByRole("button", { name: "More actions for approved_take.txt" }).click();
      await page.getByRole("menuitem", { name: "Versions…" }).click();
    },
    ready: (page) => page.getByRole("dialog").getByRole("listitem").first(),
  },
  fullShot(
    "file-status-reset",
    ({ access }) => `/files/${access.resetFile}`,
    (page) => page.getByText("New version 2"),
    { act: (page) => page.getByText("New version 2").scrollIntoViewIfNeeded() },
  ),
  fullShot(
    "webhooks-former",
    ({ access }) => `/settings/webhooks/${access.formerEndpoint}`,
    (page) => page.getByText("who no longer has access").last(),
  ),
  fullShot("webhooks-former-list", fixedPath("/settings/webhooks"), (page) => page.getByText("who no longer has access").first(), {
    act: (page) => page.getByText("who no longer has access").first().scrollIntoViewIfNeeded(),
  }),
  fullShot("upload-refused", filesChatPath, (page) => uploadCard(page, "mix_v7.wav").getByText("disk is full"), {
    before: rejectUploads,
    act: (page) => attachFiles(page, ...rejectedFiles()),
  }),
  fullShot("upload-refused-panel", accessFilesPath, (page) => page.getByText(/disk is full/), {
    before: rejectUploads,
    act: async (page) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("menuitem", { name: "Upload files" }).click();
      await (await chooser).setFiles(rejectedFiles());
      await page.getByRole("button", { name: "Show uploads" }).click();
    },
  }),
  fullShot("chat-limited", filesChatPath, (page) => page.getByText("Print it tonight.").last(), {
    before: limitRequests(SEND, 12),
    act: (page) => send(page, "Print it tonight."),
  }),
  fullShot("files-view-limited", accessFilesPath, retryButton, { before: limitRequests(FILE_LIST) }),
];
