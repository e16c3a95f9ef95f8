/** Lists the screenshots of every view in every state. */
import type { Page } from "@playwright/test";
import { uploadCard, attachFiles, randomFile as randomUpload } from "../fixtures/attach-files.ts";
import { dialog, message, rail } from "../fixtures/pages.ts";
import { ACCESS_SHOTS } from "./access-shots.ts";
import { ACCOUNTS_SHOTS } from "./accounts-shots.ts";
import { APPS_SHOTS } from "./apps-shots.ts";
import { CHAT_SHOTS } from "./chat-shots.ts";
import { COMMENT_SHOTS } from "./comment-shots.ts";
import { CONNECT_SHOTS } from "./connect-shots.ts";
import { DELIVERY_SHOTS } from "./delivery-shots.ts";
import { DOCUMENT_SHOTS } from "./document-shots.ts";
import { DOCUMENTED_SHOTS } from "./documented-shots.ts";
import { FAVORITES_SHOTS } from "./favorites-shots.ts";
import { FILES_ACTIONS_SHOTS } from "./files-actions-shots.ts";
import { FILES_VIEW_SHOTS } from "./files-view-shots.ts";
import { AGENT_SHOTS } from "./agents-shots.ts";
import { METADATA_SHOTS } from "./metadata-shots.ts";
import { ORGANIZATION_SHOTS } from "./organization-shots.ts";
import { PLAYLISTS_SHOTS } from "./playlists-shots.ts";
import { RAIL_SHOTS } from "./rail-shots.ts";
import { NOTIFICATION_DELIVERY_SHOTS } from "./notification-delivery-shots.ts";
import { NOTIFICATIONS_SHOTS } from "./notifications-shots.ts";
import { PROJECT_LIFE_SHOTS } from "./project-life-shots.ts";
import { REVIEW_SHOTS } from "./review-shots.ts";
import { SEARCH_SHOTS } from "./search-shots.ts";
import {
  ana,
  emptyOwner,
  chatPath,
  membersPath,
  filesChatPath,
  filePath,
  fixedPath,
  webhookPath,
  deliveryPath,
  HISTORY,
  FILE_INFO,
  PROJECT_MEMBERS,
  mockUploads,
  QUOTA_USED_UP,
  neverRespond,
  failRequests,
  main,
  retryButton,
  skeleton,
  fullShot,
  type Scene,
  type Shot,
} from "./shot.ts";
import { SIGN_IN_SHOTS } from "./sign-in-shots.ts";
import { STATUS_SHOTS } from "./status-shots.ts";
import { VOICE_SHOTS } from "./voice-shots.ts";
import { WEBHOOKS_SHOTS } from "./webhooks-shots.ts";

const LIST_VIEWS: [view: string, path: Shot["path"], url: string][] = [
  ["chat", chatPath, HISTORY],
  ["members", membersPath, PROJECT_MEMBERS],
  ["tasks", fixedPath("/tasks"), "**/api/v2/tasks*"],
  ["settings-members", fixedPath("/settings/members"), "**/api/v2/accounts*"],
  ["settings-statuses", fixedPath("/settings/statuses"), "**/v1/teams/get_file_statuses"],
  ["settings-apps", fixedPath("/settings/apps"), "**/api/v2/oauth/grants"],
  ["settings-tokens", fixedPath("/settings/tokens"), "**/api/v2/api-tokens"],
  ["settings-sessions", fixedPath("/settings/sessions"), "**/api/v2/sessions"],
  ["settings-audit", fixedPath("/settings/audit"), "**/api/v2/audit*"],
  ["webhooks", fixedPath("/settings/webhooks"), "**/api/v2/webhook-endpoints"],
  ["webhooks-log", webhookPath("failing"), "**/api/v2/webhook-endpoints/*/deliveries*"],
  ["webhooks-delivery", deliveryPath, "**/api/v2/deliveries/*"],
];
/** Opens a dialog from the command palette, because the create menu is hidden on a phone while a view is open. */
const runPaletteAction = (action: string) => async (page: Page) => {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByRole("combobox").fill(action);
  // The palette ignores Enter until its results have loaded.
  await palette.getByRole("option", { selected: true }).waitFor();
  await page.keyboard.press("Enter");
};

/** The README screenshot: the sample's chat where it asks for a reply. */
export const README_SHOT: Shot<Pick<Scene, "ana" | "projectId">> = {
  view: "readme",
  state: "full",
  as: ana,
  path: chatPath,
  ready: (page) => page.getByRole("button", { name: /^Play Nightdrive mix/ }).first(),
};

const UPLOADS = ["verse_take_7.wav", "bridge_vocal_double_with_a_very_long_name.wav", "full_mix.wav", "chorus.wav", "cover_final.png"] as const;

/** Attaches uploads of which one completes, one is in progress, one rejected, one paused and one empty. */
async function chooseUploads(page: Page): Promise<void> {
  await attachFiles(page, ...UPLOADS.map((name, index) => (index === 4 ? randomUpload(name, 0) : randomUpload(name, 40_000 * (index + 1)))));
  await uploadCard(page, UPLOADS[0]).getByText("Uploaded").waitFor();
  await page.getByRole("button", { name: `Pause ${UPLOADS[3]}` }).click();
}

export const SHOTS: Shot[] = [
  fullShot("chat", chatPath, (page) => message(page, /./).last(), { wide: "too" }),
  fullShot("chat-files", filesChatPath, (page) =>
    message(page, /cover\.png/)
      .getByRole("img")
      .or(message(page, /cover\.png/))
      .first(),
  ),
  fullShot("chat-images", filesChatPath, (page) => page.getByRole("dialog").getByRole("img").last(), {
    act: (page) => page.getByRole("button", { name: "View cover.png full size" }).click(),
  }),
  fullShot("file", filePath("sound"), (page) => page.getByRole("button", { name: /^Status of / }), { wide: "too" }),
  fullShot("file-status", filePath("sound"), (page) => page.getByRole("menuitemradio").first(), {
    act: (page) => page.getByRole("button", { name: /^Status of / }).click(),
  }),
  fullShot("file-task", filePath("sound"), (page) => dialog(page, "Edit task"), {
    act: async (page) => {
      await page.getByRole("button", { name: "More actions for Choose the single" }).click();
      await page.getByRole("menuitem", { name: "Edit…" }).click();
    },
  }),
  fullShot("file-templates", filePath("sound"), (page) => dialog(page, "Load from template").getByRole("listitem").first(), {
    act: async (page) => {
      await page.getByRole("button", { name: "Task list" }).click();
      await page.getByRole("menuitem", { name: "Load from template…" }).click();
    },
  }),
  fullShot("tasks", fixedPath("/tasks"), (page) => main(page).getByRole("checkbox").first()),
  fullShot("file-image", filePath("image"), (page) => main(page).getByRole("img").first()),
  fullShot("file-document", filePath("document"), (page) => page.getByRole("button", { name: /^Status of / })),
  fullShot("file-video", filePath("video"), (page) => main(page).locator("video")),
  fullShot("mini-player", filesChatPath, (page) => page.getByRole("region", { name: "Player" }), {
    before: async (page) => {
      // Stays in the mini player with its audio stopped.
      await page.addInitScript(() => {
        HTMLMediaElement.prototype.play = () => new Promise(() => {});
      });
    },
    act: (page) => page.getByRole("button", { name: "Play nightdrive_mix_v4.wav" }).click(),
  }),
  fullShot("upload-tray", filesChatPath, (page) => page.getByText("Retry or remove them to send."), {
    before: mockUploads({ completedName: UPLOADS[0], rejected: { [UPLOADS[2]]: QUOTA_USED_UP } }),
    act: chooseUploads,
  }),
  { view: "file", state: "transcoding", as: ana, path: filePath("transcoding"), ready: (page) => page.getByRole("button", { name: /^Status of / }) },
  { view: "file", state: "waiting", as: ana, path: filePath("waiting"), ready: (page) => page.getByRole("button", { name: /^Status of / }) },
  { view: "file", state: "failed", as: ana, path: filePath("failed"), ready: (page) => page.getByRole("button", { name: "Run again" }) },
  { view: "file", state: "loading", as: ana, path: filePath("sound"), before: neverRespond(FILE_INFO), ready: skeleton },
  { view: "file", state: "error", as: ana, path: filePath("sound"), before: failRequests(FILE_INFO), ready: retryButton },
  fullShot("file-missing", fixedPath("/files/999999"), (page) => main(page).getByRole("link").first()),
  fullShot("home", fixedPath("/"), (page) => rail(page).or(message(page, /./).last()).first()),
  fullShot("members", membersPath, (page) => page.getByRole("button", { name: /^More for / }).first()),
  fullShot("settings-profile", fixedPath("/settings/profile"), (page) => page.getByRole("button", { name: "Change password" }), { wide: "too" }),
  fullShot("settings-members", fixedPath("/settings/members"), (page) => page.getByRole("button", { name: /Role of/ }).first()),
  fullShot("settings-sessions", fixedPath("/settings/sessions"), (page) => page.getByText("This browser")),
  fullShot("settings-audit", fixedPath("/settings/audit"), (page) => page.getByRole("main").getByRole("listitem").first()),
  fullShot("palette", chatPath, (page) => page.getByRole("option").first(), { act: (page) => page.keyboard.press("Control+k") }),
  fullShot("shortcuts", membersPath, (page) => dialog(page, "Keyboard shortcuts"), { act: (page) => page.keyboard.press("?") }),
  fullShot("new-project", membersPath, (page) => dialog(page, "New project"), { act: runPaletteAction("new project") }),
  fullShot("new-group", membersPath, (page) => dialog(page, "New group"), { act: runPaletteAction("new group") }),
  fullShot("invite-people", fixedPath("/settings/members?invite=new"), (page) => dialog(page, "Invite someone")),
  fullShot(
    "add-people",
    ({ smallProjectId }) => `/projects/${smallProjectId}/members`,
    (page) => dialog(page, "Add people"),
    { act: (page) => page.getByRole("button", { name: "Add people" }).first().click() },
  ),
  fullShot("not-found", fixedPath("/nowhere"), (page) => main(page).getByRole("link").first()),
  fullShot("project-missing", fixedPath("/projects/999999/chat"), (page) => main(page).getByRole("link").first()),

  { view: "home", state: "empty", as: emptyOwner, path: fixedPath("/"), ready: (page) => rail(page).or(page.getByText("No messages yet")).first() },
  {
    view: "members",
    state: "empty",
    as: emptyOwner,
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/members`,
    ready: (page) => page.getByText("Only you so far"),
  },
  { view: "tasks", state: "empty", as: emptyOwner, path: fixedPath("/tasks"), ready: (page) => page.getByText("No open tasks") },
  {
    view: "settings-audit",
    state: "no-matches",
    as: emptyOwner,
    path: fixedPath("/settings/audit?group=webhooks"),
    ready: (page) => page.getByText("No entries match these filters"),
  },
  { view: "settings-members", state: "empty", as: emptyOwner, path: fixedPath("/settings/members"), ready: (page) => page.getByText("No pending invites.") },

  {
    view: "shell",
    state: "loading",
    as: ana,
    path: chatPath,
    before: neverRespond("**/api/v2/session"),
    ready: (page) => page.getByRole("status", { name: "Loading" }),
  },
  ...LIST_VIEWS.map(([view, path, url]): Shot => ({ view, state: "loading", as: ana, path, before: neverRespond(url), ready: skeleton })),

  {
    view: "shell",
    state: "error",
    as: ana,
    path: chatPath,
    before: failRequests("**/api/v2/session"),
    ready: (page) => page.getByRole("button", { name: "Reload" }),
  },
  ...LIST_VIEWS.map(([view, path, url]): Shot => ({ view, state: "error", as: ana, path, before: failRequests(url), ready: retryButton })),
  ...SIGN_IN_SHOTS,
  ...WEBHOOKS_SHOTS,
  ...ACCESS_SHOTS,
  ...ACCOUNTS_SHOTS,
  ...APPS_SHOTS,
  ...CONNECT_SHOTS,
  ...REVIEW_SHOTS,
  ...FAVORITES_SHOTS,
  ...PROJECT_LIFE_SHOTS,
  ...FILES_ACTIONS_SHOTS,
  ...STATUS_SHOTS,
  ...SEARCH_SHOTS,
  ...RAIL_SHOTS,
  ...CHAT_SHOTS,
  ...VOICE_SHOTS,
  ...DOCUMENTED_SHOTS,
  ...COMMENT_SHOTS,
  ...FILES_VIEW_SHOTS,
  ...DOCUMENT_SHOTS,
  ...AGENT_SHOTS,
  ...METADATA_SHOTS,
  ...DELIVERY_SHOTS,
  ...ORGANIZATION_SHOTS,
  ...PLAYLISTS_SHOTS,
  ...NOTIFICATIONS_SHOTS,
  ...NOTIFICATION_DELIVERY_SHOTS,
  // Last, because each run adds a pending invite.
  fullShot("invite-ready", fixedPath("/settings/members?invite=new"), (page) => dialog(page, "Invite created"), {
    act: (page) => page.getByRole("button", { name: "Create link" }).click(),
  }),
];
