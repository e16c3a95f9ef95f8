/** What there is to see: every view in every state that it can be in. */
import type { Page } from "@playwright/test";
import { card, choose, file as fileOf } from "../fixtures/choosing.ts";
import { dialog, message, rail } from "../fixtures/pages.ts";
import { CHAT_SHOTS } from "./chat-shots.ts";
import { COMMENT_SHOTS } from "./comments.ts";
import { VOICE_SHOTS } from "./voice-shots.ts";
import { STATUS_SHOTS } from "./status-shots.ts";
import { FILES_VIEW_SHOTS } from "./files-view-shots.ts";
import { FILES_ACTIONS_SHOTS } from "./files-actions.ts";
import { REVIEW_SHOTS } from "./review-shots.ts";
import {
  ana,
  newcomer,
  nobody,
  chat,
  people,
  filesChat,
  file,
  at,
  webhook,
  delivery,
  HISTORY,
  FILE_INFO,
  PROJECT_MEMBERS,
  held,
  failing,
  main,
  again,
  skeleton,
  full,
  type Scene,
  type Shot,
} from "./shot.ts";

const LISTS: [view: string, path: Shot["path"], url: string][] = [
  ["chat", chat, HISTORY],
  ["members", people, PROJECT_MEMBERS],
  ["tasks", at("/tasks"), "**/api/v2/tasks*"],
  ["settings-members", at("/settings/members"), "**/api/v2/accounts*"],
  ["settings-statuses", at("/settings/statuses"), "**/v1/teams/get_file_statuses"],
  ["settings-tokens", at("/settings/tokens"), "**/api/v2/api-tokens"],
  ["settings-sessions", at("/settings/sessions"), "**/api/v2/sessions"],
  ["webhooks", at("/settings/webhooks"), "**/api/v2/webhook-endpoints"],
  ["webhooks-log", webhook("failing"), "**/api/v2/webhook-endpoints/*/deliveries*"],
  ["webhooks-delivery", delivery, "**/api/v2/deliveries/*"],
];
const press = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();

/** The create menu is hidden on a phone while a view is open: dialogs are opened from the keyboard's palette. */
const byPalette = (action: string) => async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(action);
  await page.keyboard.press("Enter");
};

/** What the README shows: the sample's chat where it is asked for an answer. */
export const README_SHOT: Shot<Pick<Scene, "ana" | "projectId">> = {
  view: "readme",
  state: "full",
  as: ana,
  path: chat,
  ready: (page) => page.getByRole("button", { name: /^Play Nightdrive mix/ }).first(),
};

/** As the service would tell of the demo. */
const demoIs = (state: "none" | "running" | "failed") => (page: Page) =>
  page.route("**/api/v2/demo", (route) =>
    route.fulfill({
      json: {
        object: "demo",
        data: {
          state,
          possible: state !== "running",
          step: state === "running" ? "songs" : null,
          progress: 0.36,
          project_id: null,
          failure: state === "failed" ? "There is no space left on the disk." : null,
        },
      },
    }),
  );

const UPLOADS = ["verse_take_7.wav", "bridge_vocal_double_with_a_very_long_name.wav", "full_mix.wav", "chorus.wav", "cover_final.png"] as const;

/** One is done, one under way, one paused, one refused, one empty. */
async function uploadsInEveryState(page: Page): Promise<void> {
  const refused: string = UPLOADS[2];
  const done: string = UPLOADS[0];
  await page.route("**/api/v2/uploads**", async (route) => {
    const request = route.request();
    const [, encoded = ""] = /name (\S+?)(,|$)/.exec(request.headers()["upload-metadata"] ?? "") ?? [];
    const name = Buffer.from(encoded, "base64").toString();
    if (name === refused)
      return route.fulfill({
        status: 413,
        json: { object: "error", status: 413, title: "Too large", detail: "Your organisation has no room left for this file." },
      });
    if (name === done || request.method() === "GET") return route.continue();
    // Held for ever.
    if (request.method() === "POST") return undefined;
    return route.continue();
  });
}

async function bringUploads(page: Page): Promise<void> {
  await choose(page, ...UPLOADS.map((name, index) => (index === 4 ? fileOf(name, 0) : fileOf(name, 40_000 * (index + 1)))));
  await card(page, UPLOADS[0]).getByText("Uploaded").waitFor();
  await page.getByRole("button", { name: `Pause ${UPLOADS[3]}` }).click();
}

export const SHOTS: Shot[] = [
  full("chat", chat, (page) => message(page, /./).last()),
  full("chat-files", filesChat, (page) =>
    message(page, /cover\.png/)
      .getByRole("img")
      .or(message(page, /cover\.png/))
      .first(),
  ),
  full("chat-images", filesChat, (page) => page.getByRole("dialog").getByRole("img"), {
    act: (page) => page.getByRole("button", { name: "View cover.png in full size" }).click(),
  }),
  full("file", file("sound"), (page) => page.getByRole("button", { name: /^Status of / })),
  full("file-status", file("sound"), (page) => page.getByRole("menuitemradio").first(), {
    act: (page) => page.getByRole("button", { name: /^Status of / }).click(),
  }),
  full("file-task", file("sound"), (page) => dialog(page, "Edit task"), {
    act: async (page) => {
      await page.getByRole("button", { name: "More for Choose the single" }).click();
      await page.getByRole("menuitem", { name: "Edit…" }).click();
    },
  }),
  full("file-templates", file("sound"), (page) => dialog(page, "Load from template").getByRole("listitem").first(), {
    act: async (page) => {
      await page.getByRole("button", { name: "Task list" }).click();
      await page.getByRole("menuitem", { name: "Load from template…" }).click();
    },
  }),
  full("tasks", at("/tasks"), (page) => main(page).getByRole("checkbox").first()),
  full("file-image", file("image"), (page) => main(page).getByRole("img").first()),
  full("file-document", file("document"), (page) => page.getByRole("button", { name: /^Status of / })),
  full("file-video", file("film"), (page) => main(page).locator("video")),
  full("mini-player", filesChat, (page) => page.getByRole("region", { name: "Player" }), {
    before: async (page) => {
      // Left in the bar with its sound at rest.
      await page.addInitScript(() => {
        HTMLMediaElement.prototype.play = () => new Promise(() => {});
      });
    },
    act: (page) => page.getByRole("button", { name: "Play nightdrive_mix_v4.wav" }).click(),
  }),
  full("upload-tray", filesChat, (page) => page.getByText("Try them again or remove them to send."), { before: uploadsInEveryState, act: bringUploads }),
  { view: "file", state: "transcoding", as: ana, path: file("transcoding"), ready: (page) => page.getByRole("button", { name: /^Status of / }) },
  { view: "file", state: "waiting", as: ana, path: file("waiting"), ready: (page) => page.getByRole("button", { name: /^Status of / }) },
  { view: "file", state: "failed", as: ana, path: file("failed"), ready: (page) => page.getByRole("button", { name: "Run again" }) },
  { view: "file", state: "loading", as: ana, path: file("sound"), before: held(FILE_INFO), ready: skeleton },
  { view: "file", state: "error", as: ana, path: file("sound"), before: failing(FILE_INFO), ready: again },
  full("file-missing", at("/files/999999"), (page) => main(page).getByRole("link").first()),
  full("home", at("/"), (page) => rail(page).or(message(page, /./).last()).first()),
  full("members", people, (page) => page.getByRole("button", { name: /^Take out / }).first()),
  full("settings-profile", at("/settings/profile"), (page) => page.getByRole("button", { name: "Change password" })),
  full("settings-members", at("/settings/members"), (page) => page.getByRole("combobox").first()),
  full("settings-tokens", at("/settings/tokens"), (page) => page.getByRole("button", { name: /^Revoke/ }).first()),
  full("settings-sessions", at("/settings/sessions"), (page) => page.getByText("This browser")),
  full("webhooks", at("/settings/webhooks"), (page) => page.getByRole("region", { name: "Endpoints" }).getByRole("link").first()),
  full("webhooks-log", webhook("failing"), (page) => page.getByRole("table", { name: "Deliveries" })),
  full("webhooks-delivery", delivery, (page) => page.getByRole("region", { name: /^Request of attempt/ })),
  full("webhooks-paused", webhook("paused"), (page) => page.getByRole("button", { name: "Resume" })),
  full("webhooks-gone", webhook("gone"), (page) => page.getByRole("button", { name: "Resume" })),
  full("webhooks-new", at("/settings/webhooks?endpoint=new"), (page) => dialog(page, "New endpoint"), {
    act: async (page) => {
      await page.getByRole("textbox", { name: "URL" }).fill("https://user@tools.example/talkback");
      await page.getByText("Example", { exact: false }).and(page.locator("summary")).last().click();
    },
  }),
  full("webhooks-test", webhook("failing"), (page) => dialog(page, "Send a test event").getByRole("region", { name: "Answer" }), {
    act: async (page) => {
      await press("Send test event")(page);
      await dialog(page, "Send a test event").getByRole("button", { name: "Send test event" }).click();
    },
  }),
  full("webhooks-recover", webhook("failing"), (page) => dialog(page, "Recover since"), { act: press("Recover since…") }),
  full("webhooks-rotate", webhook("paused"), (page) => dialog(page, "Your new signing secret"), {
    act: async (page) => {
      await press("Rotate")(page);
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    },
  }),
  full("webhooks-verify", webhook("failing"), (page) => dialog(page, "Verify signatures"), { act: press("Node") }),
  full("palette", chat, (page) => page.getByRole("option").first(), { act: (page) => page.keyboard.press("Control+k") }),
  full("shortcuts", people, (page) => dialog(page, "Keyboard shortcuts"), { act: (page) => page.keyboard.press("?") }),
  full("new-project", people, (page) => dialog(page, "New project"), { act: byPalette("new project") }),
  full("new-group", people, (page) => dialog(page, "New group"), { act: byPalette("new group") }),
  full("invite-people", at("/settings/members?invite=new"), (page) => dialog(page, "Invite somebody")),
  full("new-token", at("/settings/tokens"), (page) => dialog(page, "New token"), { act: (page) => page.getByRole("button", { name: "New token" }).click() }),
  full(
    "add-people",
    ({ smallProjectId }) => `/projects/${smallProjectId}/members`,
    (page) => dialog(page, "Add people"),
    { act: (page) => page.getByRole("button", { name: "Add people" }).first().click() },
  ),
  full("not-found", at("/nowhere"), (page) => main(page).getByRole("link").first()),
  full("project-missing", at("/projects/999999/chat"), (page) => main(page).getByRole("link").first()),
  full("sign-in", at("/sign-in"), (page) => page.getByRole("button", { name: "Sign in" }), { as: nobody }),
  full(
    "setup",
    ({ setupLink }) => setupLink,
    (page) => page.getByRole("button", { name: "Create organisation" }),
    { as: nobody },
  ),
  full(
    "invite",
    ({ inviteLink }) => inviteLink,
    (page) => page.getByRole("button", { name: "Join" }),
    { as: nobody },
  ),
  full("welcome", at("/welcome"), (page) => page.getByRole("button", { name: "Start empty" }), { before: demoIs("none") }),
  full("welcome-making", at("/welcome"), (page) => page.getByRole("progressbar"), { before: demoIs("running") }),
  full("welcome-failed", at("/welcome"), (page) => page.getByRole("button", { name: "Try again" }), { before: demoIs("failed") }),
  full("reset", at("/reset#token"), (page) => page.getByRole("button", { name: "Save and sign in" }), { as: nobody }),
  full("docs", at("/docs"), (page) => page.getByRole("heading", { level: 1 }), { as: nobody }),

  { view: "home", state: "empty", as: newcomer, path: at("/"), ready: (page) => rail(page).or(page.getByText("No messages yet")).first() },
  {
    view: "members",
    state: "empty",
    as: newcomer,
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/members`,
    ready: (page) => page.getByText("Only you so far"),
  },
  { view: "tasks", state: "empty", as: newcomer, path: at("/tasks"), ready: (page) => page.getByText("Nothing to do") },
  { view: "webhooks", state: "empty", as: newcomer, path: at("/settings/webhooks"), ready: (page) => page.getByText("Tell other tools what happens here") },
  { view: "settings-tokens", state: "empty", as: newcomer, path: at("/settings/tokens"), ready: (page) => page.getByText("No API token yet") },
  { view: "settings-members", state: "empty", as: newcomer, path: at("/settings/members"), ready: (page) => page.getByText("No open invites.") },

  { view: "shell", state: "loading", as: ana, path: chat, before: held("**/api/v2/session"), ready: (page) => page.getByRole("status", { name: "Loading" }) },
  ...LISTS.map(([view, path, url]): Shot => ({ view, state: "loading", as: ana, path, before: held(url), ready: skeleton })),

  { view: "shell", state: "error", as: ana, path: chat, before: failing("**/api/v2/session"), ready: (page) => page.getByRole("button", { name: "Reload" }) },
  ...LISTS.map(([view, path, url]): Shot => ({ view, state: "error", as: ana, path, before: failing(url), ready: again })),
  {
    view: "sign-in",
    state: "error",
    as: nobody,
    path: at("/sign-in"),
    act: async (page) => {
      await page.getByRole("textbox", { name: "E-mail or username" }).fill("ana@northlight.example");
      await page.getByLabel("Password", { exact: true }).fill("not her password");
      await page.getByRole("button", { name: "Sign in" }).click();
    },
    ready: (page) => page.getByRole("alert"),
  },
  ...REVIEW_SHOTS,
  ...FILES_ACTIONS_SHOTS,
  ...STATUS_SHOTS,
  ...CHAT_SHOTS,
  ...VOICE_SHOTS,
  ...COMMENT_SHOTS,
  ...FILES_VIEW_SHOTS,
  // Last, since each adds an open invite.
  full("invite-ready", at("/settings/members?invite=new"), (page) => dialog(page, "The invite is ready"), {
    act: (page) => page.getByRole("button", { name: "Create link" }).click(),
  }),
];
