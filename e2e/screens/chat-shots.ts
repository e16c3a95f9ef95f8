/** Every state of a chat. */
import type { Page } from "@playwright/test";
import { actions, composer, connectionLine, dialog, menuItem, message, openMenu, send, timeline } from "../fixtures/pages.ts";
import { stateOf } from "../fixtures/api.ts";
import { ana, chat, failing, full, newcomer, type Scene, type Shot } from "./shot.ts";

const SEARCH = "**/api/v2/projects/*/messages?**";
const SEND = "**/v1/account/projects/chat_message";
const talk = ({ talk: { projectId } }: Scene) => `/projects/${projectId}/chat`;
const searching = (search: string) => (scene: Scene) => `${talk(scene)}?search=${search}`;
const end = (page: Page) => message(page, "And they pay.");
const last = (page: Page) => message(page, /./).getByRole("article").last();
const spoken = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

/** Somebody else has the chat open, and is writing where that is wanted. */
const withBen =
  (writes: string) =>
  async (page: Page, { talk: { ben, projectId } }: Scene) => {
    const other = await page
      .context()
      .browser()!
      .newContext({ storageState: stateOf(ben), serviceWorkers: "block" });
    page.once("close", () => void other.close().catch(() => undefined));
    const his = await other.newPage();
    await his.route("**/api/v2/projects/*/read", () => {});
    await his.goto(`${ben.url}/projects/${projectId}/chat`);
    // As long as the picture is taken: the service forgets who pauses.
    void composer(his)
      .pressSequentially(writes.repeat(4), { delay: 250 })
      .catch(() => undefined);
  };

const shot = (view: string, ready: Shot["ready"], more: Partial<Shot> = {}): Shot => full(view, talk, ready, more);

export const CHAT_SHOTS: Shot[] = [
  {
    view: "chat",
    state: "empty",
    as: newcomer,
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/chat`,
    ready: (page) => page.getByText("No messages yet"),
  },
  shot("chat-talk", end),
  full(
    "chat-reply",
    (scene) => `${talk(scene)}/${scene.talk.reply}`,
    (page) => message(page, "sidechain a touch slower"),
  ),
  full(
    "chat-flood",
    (scene) => `${talk(scene)}/${scene.talk.flood}`,
    (page) => message(page, "right to left"),
  ),
  shot("chat-presence", (page) => page.getByText("Ben Okafor-Lind is writing…"), { act: withBen("Cymbal is down half a dB, ") }),
  shot("chat-bar", (page) => actions(end(page)), {
    byMouse: true,
    act: (page) => end(page).hover(),
  }),
  shot("chat-menu", (page) => page.getByRole("menu", { name: "Message" }), { act: (page) => openMenu(page, "I do not hate it at all.") }),
  shot("chat-emoji", (page) => page.getByRole("searchbox", { name: "Search emoji" }), {
    act: async (page) => {
      await last(page).focus();
      await page.keyboard.press("+");
    },
  }),
  shot("chat-edit", (page) => page.getByRole("textbox", { name: "Text of the message" }), {
    act: async (page) => {
      await openMenu(page, "I do not hate it at all.");
      await menuItem(page, "Edit").click();
    },
  }),
  shot("chat-edit-failed", (page) => page.getByRole("alert").filter({ hasText: "Not saved" }), {
    before: failing("**/api/v2/projects/*/messages/*"),
    act: async (page) => {
      await openMenu(page, "I do not hate it at all.");
      await menuItem(page, "Edit").click();
      await page.getByRole("textbox", { name: "Text of the message" }).fill("I love it.");
      await page.keyboard.press("Enter");
    },
  }),
  shot("chat-replying", (page) => page.getByRole("group", { name: /^Replying to/ }), {
    act: async (page) => {
      await last(page).focus();
      await page.keyboard.press("r");
      await composer(page).fill("Half a dB it is.\nPrinting both.");
    },
  }),
  shot("chat-deleted", (page) => page.getByRole("button", { name: "Undo" }), {
    before: (page) => page.route("**/api/v2/projects/*/messages/*", () => {}),
    act: async (page) => {
      await openMenu(page, "I do not hate it at all.");
      await menuItem(page, "Delete").click();
    },
  }),
  shot("chat-unread-by-hand", (page) => spoken(page, "Unread from here"), {
    before: (page) =>
      page.route("**/api/v2/projects/*/unread", (route) =>
        route.fulfill({ json: { object: "read_marker", data: { project_id: 1, last_read_message_id: 1, unread_count: 4, mention_count: 0 } } }),
      ),
    act: async (page) => {
      await openMenu(page, "Happens to all of us.");
      await menuItem(page, "Mark unread from here").click();
    },
  }),
  shot("chat-people", (page) => page.getByRole("listbox", { name: "People" }), { act: (page) => composer(page).pressSequentially("Thanks @") }),
  shot("chat-emoji-list", (page) => page.getByRole("listbox", { name: "Emoji" }).getByRole("option").first(), {
    act: (page) => composer(page).pressSequentially("Nice :he"),
  }),
  shot("chat-day", (page) => dialog(page, "Jump to a date"), { act: (page) => page.getByRole("button", { name: "Jump to a date" }).first().click() }),
  shot("chat-back", (page) => page.getByRole("button", { name: "Back", exact: true }).last(), {
    act: async (page) => {
      await page.getByRole("button", { name: /^Go to what this answers.*Vocal comp/ }).click();
      await message(page, /^(?!.*hate it at all).*Vocal comp/s).waitFor();
    },
  }),
  shot("chat-above", (page) => page.getByRole("button", { name: /new messages$/ }), {
    act: async (page) => {
      await timeline(page).focus();
      for (let times = 0; times < 3; times += 1) await page.keyboard.press("PageUp");
    },
  }),
  full("chat-search", searching("take"), (page) => page.getByRole("list", { name: "Messages found" })),
  full("chat-search-open", searching(""), (page) => page.getByText("Find what was said")),
  full("chat-search-none", searching("theremin&has=file"), (page) => page.getByText("Nothing found").last()),
  full("chat-search-failed", searching("take"), (page) => page.getByText("The search did not work"), { before: failing(SEARCH) }),
  {
    view: "message",
    state: "error",
    as: ana,
    path: chat,
    before: (page) =>
      page.route(SEND, (route) => route.fulfill({ status: 400, json: { object: "error", status: 400, title: "Refused", detail: "The project is closed." } })),
    act: (page) => send(page, "Printing the last pass now."),
    ready: (page) => page.getByRole("button", { name: "Retry" }),
  },
  {
    view: "message",
    state: "too-long",
    as: ana,
    path: chat,
    act: (page) => composer(page).fill("Lorem ipsum dolor sit amet. ".repeat(400)),
    ready: (page) => page.getByText(/characters too long/),
  },
  {
    view: "message",
    state: "not-kept",
    as: ana,
    path: chat,
    before: (page) =>
      page.addInitScript(() => {
        // Storage as a browser has it where a person forbids it.
        Object.defineProperty(globalThis, "indexedDB", { get: () => undefined });
      }),
    act: async (page) => {
      await message(page, /./).first().waitFor();
      await page.context().setOffline(true);
      await send(page, "On the train, no signal.");
    },
    ready: (page) => page.getByText("This browser does not keep it"),
  },
  {
    view: "chat",
    state: "offline",
    as: ana,
    path: chat,
    act: async (page) => {
      await message(page, /./).first().waitFor();
      await page.context().setOffline(true);
      await send(page, "On the train, no signal.");
      await send(page, "Bass is right now, by the way.");
    },
    ready: (page) => connectionLine(page).getByText("2 messages wait and are sent by themselves."),
  },
];
