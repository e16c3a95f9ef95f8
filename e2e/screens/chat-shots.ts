/** Lists the screenshots of every state of a chat. */
import type { Page } from "@playwright/test";
import { actions, composer, connectionBanner, dialog, menuItem, message, openMenu, send, timeline } from "../fixtures/pages.ts";
import { createStorageState } from "../fixtures/api.ts";
import { ana, chatPath, failRequests, fullShot, emptyOwner, type Scene, type Shot } from "./shot.ts";

const SEARCH = "**/api/v2/projects/*/messages?**";
const SEND = "**/v1/account/projects/chat_message";
const sampleChatPath = ({ sampleChat: { projectId } }: Scene) => `/projects/${projectId}/chat`;
const searchPath = (search: string) => (scene: Scene) => `${sampleChatPath(scene)}?search=${search}`;
const finalMessage = (page: Page) => message(page, "And they pay.");
const lastArticle = (page: Page) => message(page, /./).getByRole("article").last();
const statusText = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

/** Opens the chat as Ben, who keeps typing this text. */
const typeAsBen =
  (typedText: string) =>
  async (page: Page, { sampleChat: { ben, projectId } }: Scene) => {
    const benContext = await page
      .context()
      .browser()!
      .newContext({ locale: "en-GB", storageState: createStorageState(ben), serviceWorkers: "block" });
    page.once("close", () => void benContext.close().catch(() => undefined));
    const benPage = await benContext.newPage();
    await benPage.route("**/api/v2/projects/*/read", () => {});
    await benPage.goto(`${ben.url}/projects/${projectId}/chat`);
    // Types for as long as the screenshot takes, because a typing signal expires.
    void composer(benPage)
      .pressSequentially(typedText.repeat(4), { delay: 250 })
      .catch(() => undefined);
  };

const chatShot = (view: string, ready: Shot["ready"], overrides: Partial<Shot> = {}): Shot => fullShot(view, sampleChatPath, ready, overrides);

const stemsShot = (view: string, ready: Shot["ready"], overrides: Partial<Shot> = {}): Shot =>
  fullShot(`chat-stems-${view}`, ({ stemsProjectId }) => `/projects/${stemsProjectId}/chat`, ready, overrides);
const timeButton = (page: Page) => message(page, "the snare still bites").getByRole("button", { name: "Play Glasshouse mix v2.wav from 0:11" });

export const CHAT_SHOTS: Shot[] = [
  {
    view: "chat",
    state: "empty",
    as: emptyOwner,
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/chat`,
    ready: (page) => page.getByText("No messages yet"),
  },
  chatShot("chat-talk", finalMessage),
  stemsShot("times", (page) => page.locator("[role=tooltip]"), { desktopOnly: true, act: (page) => timeButton(page).hover() }),
  stemsShot("plays", (page) => page.getByRole("button", { name: "Next track" }), {
    act: (page) => message(page, "Glasshouse - Kick").getByRole("button", { name: "Play all" }).click(),
  }),
  stemsShot("many", (page) => page.getByRole("button", { name: "Show all 12" }), {
    act: async (page) => {
      await timeline(page).press("Home");
      await page.getByRole("button", { name: "Show all 12" }).scrollIntoViewIfNeeded();
    },
  }),
  fullShot(
    "chat-reply",
    (scene) => `${sampleChatPath(scene)}/${scene.sampleChat.reply}`,
    (page) => message(page, "sidechain a touch slower"),
  ),
  fullShot(
    "chat-flood",
    (scene) => `${sampleChatPath(scene)}/${scene.sampleChat.longMessage}`,
    (page) => message(page, "right to left"),
  ),
  chatShot("chat-presence", (page) => page.getByText("Ben Okafor-Lind is typing…"), { act: typeAsBen("Cymbal is down half a dB, ") }),
  chatShot("chat-bar", (page) => actions(finalMessage(page)), {
    desktopOnly: true,
    act: (page) => finalMessage(page).hover(),
  }),
  chatShot("chat-menu", (page) => page.getByRole("menu", { name: "Message" }), { act: (page) => openMenu(page, "I do not hate it at all.") }),
  chatShot("chat-emoji", (page) => page.getByRole("combobox", { name: "Search emoji" }), {
    act: async (page) => {
      await lastArticle(page).focus();
      await page.keyboard.press("+");
    },
  }),
  chatShot("chat-edit", (page) => page.getByRole("textbox", { name: "Edit message" }), {
    act: async (page) => {
      await openMenu(page, "I do not hate it at all.");
      await menuItem(page, "Edit").click();
    },
  }),
  chatShot("chat-edit-failed", (page) => page.getByRole("alert").filter({ hasText: "Couldn't save" }), {
    before: failRequests("**/api/v2/projects/*/messages/*"),
    act: async (page) => {
      await openMenu(page, "I do not hate it at all.");
      await menuItem(page, "Edit").click();
      await page.getByRole("textbox", { name: "Edit message" }).fill("I love it.");
      await page.keyboard.press("Enter");
    },
  }),
  chatShot("chat-replying", (page) => page.getByRole("group", { name: /^Replying to/ }), {
    act: async (page) => {
      await lastArticle(page).focus();
      await page.keyboard.press("r");
      await composer(page).fill("Half a dB it is.\nPrinting both.");
    },
  }),
  chatShot("chat-deleted", (page) => page.getByRole("button", { name: "Undo" }), {
    before: (page) => page.route("**/api/v2/projects/*/messages/*", () => {}),
    act: async (page) => {
      await openMenu(page, "I do not hate it at all.");
      await menuItem(page, "Delete").click();
    },
  }),
  chatShot("chat-unread-by-hand", (page) => statusText(page, "Marked as unread"), {
    before: (page) =>
      page.route("**/api/v2/projects/*/unread", (route) =>
        route.fulfill({ json: { object: "read_marker", data: { project_id: 1, last_read_message_id: 1, unread_count: 4, mention_count: 0 } } }),
      ),
    act: async (page) => {
      await openMenu(page, "Happens to all of us.");
      await menuItem(page, "Mark unread from here").click();
    },
  }),
  chatShot("chat-people", (page) => page.getByRole("listbox", { name: "People" }), { act: (page) => composer(page).pressSequentially("Thanks @") }),
  chatShot("chat-emoji-list", (page) => page.getByRole("listbox", { name: "Emoji" }).getByRole("option").first(), {
    act: (page) => composer(page).pressSequentially("Nice :he"),
  }),
  chatShot("chat-day", (page) => dialog(page, "Jump to a date"), { act: (page) => page.getByRole("button", { name: "Jump to a date" }).first().click() }),
  chatShot("chat-back", (page) => page.getByRole("button", { name: "Back", exact: true }).last(), {
    act: async (page) => {
      await page.getByRole("button", { name: /^Go to original message.*Vocal comp/ }).click();
      await message(page, /^(?!.*hate it at all).*Vocal comp/s).waitFor();
    },
  }),
  // At the wider sizes the new messages may have been in view before.
  chatShot("chat-above", (page) => page.getByRole("button", { name: /new messages$|^Jump to latest$/ }), {
    act: async (page) => {
      await finalMessage(page).waitFor();
      await timeline(page).focus();
      for (let index = 0; index < 3; index += 1) await page.keyboard.press("PageUp");
    },
  }),
  fullShot("chat-search", searchPath("take"), (page) => page.getByRole("list", { name: "Search results" })),
  fullShot("chat-search-open", searchPath(""), (page) => page.getByText("Find a message")),
  fullShot("chat-search-none", searchPath("theremin&has=file"), (page) => page.getByText("No results").last()),
  fullShot("chat-search-failed", searchPath("take"), (page) => page.getByText("Search failed"), { before: failRequests(SEARCH) }),
  {
    view: "message",
    state: "error",
    as: ana,
    path: chatPath,
    before: (page) =>
      page.route(SEND, (route) => route.fulfill({ status: 400, json: { object: "error", status: 400, title: "Refused", detail: "The project is closed." } })),
    act: (page) => send(page, "Printing the last pass now."),
    ready: (page) => page.getByRole("button", { name: "Retry" }),
  },
  {
    view: "message",
    state: "too-long",
    as: ana,
    path: chatPath,
    act: (page) => composer(page).fill("Lorem ipsum dolor sit amet. ".repeat(400)),
    ready: (page) => page.getByText(/characters too long/),
  },
  {
    view: "message",
    state: "not-kept",
    as: ana,
    path: chatPath,
    before: (page) =>
      page.addInitScript(() => {
        // Simulates a browser whose user has blocked storage.
        Object.defineProperty(globalThis, "indexedDB", { get: () => undefined });
      }),
    act: async (page) => {
      await message(page, /./).first().waitFor();
      await page.context().setOffline(true);
      await send(page, "On the train, no signal.");
    },
    ready: (page) => page.getByText("Not saved in this browser"),
  },
  {
    view: "chat",
    state: "offline",
    as: ana,
    path: chatPath,
    act: async (page) => {
      await message(page, /./).first().waitFor();
      await page.context().setOffline(true);
      await send(page, "On the train, no signal.");
      await send(page, "Bass is right now, by the way.");
    },
    ready: (page) => connectionBanner(page).getByText("2 messages will send when you're back online."),
  },
];
