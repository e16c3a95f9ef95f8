/** Lists the screenshots of the views for a service that has only the operations of the service document. */
import type { Page } from "@playwright/test";
import { createOddRecords, ODD_FILES, ODD_PROJECT } from "../fixtures/documented-service/odd-records.ts";
import { createMessage, EMPTY_PROJECT, FILES, LONG_PROJECT, PROJECT } from "../fixtures/documented-service/records.ts";
import type { Failure } from "../fixtures/documented-service/service.ts";
import { dialog } from "../fixtures/pages.ts";
import { connectToStudio, studioOf, STUDIO_URL } from "./documented-page.ts";
import { main, retryButton, signedOut, type Shot } from "./shot.ts";

const documented = connectToStudio();
const odd = connectToStudio({ create: createOddRecords });
const withoutToken = connectToStudio({ token: null });
const failing = (failure: Failure) =>
  connectToStudio({
    prepare(service) {
      service.setFailure("chatHistory", failure);
      service.setFailure("fileInfo", failure);
    },
  });

const shot = (view: string, state: string, path: string, ready: Shot["ready"], overrides: Partial<Shot> = {}): Shot => ({
  view: `documented-${view}`,
  state,
  as: signedOut,
  path: () => path,
  before: documented,
  ready,
  ...overrides,
});
const chat = (state: string, projectId: number | string, before: Shot["before"], ready: Shot["ready"], overrides: Partial<Shot> = {}) =>
  shot("chat", state, `/projects/${projectId}/chat`, ready, { before, ...overrides });
const aboutFile = (page: Page) => page.getByRole("heading", { name: "About this file" });
const file = (state: string, fileId: number, before: Shot["before"] = documented, ready: Shot["ready"] = aboutFile) =>
  shot("file", state, `/files/${fileId}`, ready, { before });
const home = (state: string, ready: Shot["ready"], act?: Shot["act"]) => shot("home", state, "/", ready, act ? { act } : {});
const webhooks = (state: string, ready: Shot["ready"], overrides: Partial<Shot>) => shot("webhooks", state, "/settings/webhooks", ready, overrides);

const openById = (page: Page, field: "Project ID" | "File ID") => page.getByRole("textbox", { name: field });
const goHome = (page: Page) => page.getByRole("link", { name: "Home", exact: true }).filter({ visible: true }).click();
const endpointForm = (page: Page) => dialog(page, "New endpoint");
const newToken = (page: Page) => page.getByRole("button", { name: "Enter another token" }).first();

/** Opens files and a chat by their ids, and returns to the page that lists them. */
async function openSome(page: Page): Promise<void> {
  for (const id of [FILES.video, FILES.mix]) {
    await openById(page, "File ID").fill(String(id));
    await page.keyboard.press("Enter");
    await aboutFile(page).waitFor();
    await goHome(page);
  }
  await openById(page, "Project ID").fill(String(PROJECT));
  await page.keyboard.press("Enter");
  await page.getByText("Stems for the label").waitFor();
  await goHome(page);
}

const fillEndpoint = (url: string) => async (page: Page) => {
  await page.getByRole("button", { name: "New endpoint" }).click();
  await endpointForm(page).getByRole("textbox", { name: "URL" }).fill(url);
};
const submitEndpoint = (page: Page) => endpointForm(page).getByRole("button", { name: "Create" }).click();
const createEndpoint = (url: string) => async (page: Page) => {
  await fillEndpoint(url)(page);
  await submitEndpoint(page);
};
async function createSeveral(page: Page): Promise<void> {
  for (const url of ["https://tools.example/talkback", `https://delivery.label.example/hooks/${"incoming-".repeat(9)}masters?key=1`]) {
    await createEndpoint(url)(page);
    await page.getByRole("button", { name: "Done" }).click();
  }
  await page.getByText("Response of the service").first().click();
}
const refusing = (failure: Failure) => connectToStudio({ prepare: (service) => service.setFailure("webhookEndpoints", failure) });
/** Responds to the creation of an endpoint with its signing secret, which the document does not mention. */
const respondWithSecret: Shot["before"] = async (page, scene) => {
  await documented(page, scene);
  await page.route(`${STUDIO_URL}/api/v2/webhook-endpoints`, (route) =>
    route.fulfill({
      headers: { "access-control-allow-origin": "*" },
      json: { object: "webhook_endpoint", data: { id: 801, url: "https://tools.example/talkback", secret: "whsec_4f0aSf1t7Jz9Q2cXyB8m" } },
    }),
  );
};

/** Waits for the chat, whose next poll then fails in the given way. */
const failNextPoll = (failure: Failure) => async (page: Page) => {
  await page.getByText("Stems for the label").waitFor();
  studioOf(page).setFailure("chatHistory", failure);
};
const withLongNames = connectToStudio({
  prepare({ records }) {
    records.chats.get(PROJECT)?.push(
      createMessage(7, {
        body: `A link without a space: https://label.example/${"very-long-path-".repeat(12)}end\n\nThe second paragraph has **bold** and \`code\`.`,
      }),
    );
  },
});

export const DOCUMENTED_SHOTS: readonly Shot[] = [
  home("empty", (page) => openById(page, "Project ID")),
  home("recents", (page) => main(page).getByText("nightdrive mix.wav"), openSome),
  home(
    "invalid",
    (page) => page.getByText("Enter a number"),
    async (page) => {
      await openById(page, "Project ID").fill("nightdrive");
      await page.keyboard.press("Enter");
    },
  ),
  shot("not-found", "full", "/tasks", (page) => main(page).getByRole("link")),
  chat("full", PROJECT, documented, (page) => page.getByText("Stems for the label")),
  chat("empty", EMPTY_PROJECT, documented, (page) => page.getByText("No messages yet").first()),
  chat("long", LONG_PROJECT, documented, (page) => page.getByText("Note 130")),
  chat("long-text", PROJECT, withLongNames, (page) => page.getByText("The second paragraph")),
  chat("odd", ODD_PROJECT, odd, (page) => page.getByText("The last one.")),
  chat("missing", 999, documented, retryButton),
  chat("token", PROJECT, failing(401), newToken),
  chat("token-missing", PROJECT, withoutToken, retryButton),
  chat("token-ended", PROJECT, documented, newToken, { act: failNextPoll(401) }),
  chat("token-dialog", PROJECT, failing(401), (page) => dialog(page, "Enter another token"), { act: (page) => newToken(page).click() }),
  chat("failed", PROJECT, failing(500), retryButton),
  chat("poll-failed", PROJECT, documented, retryButton, { act: failNextPoll(429) }),
  chat("loading", PROJECT, failing("hang"), (page) => page.getByRole("status", { name: "Loading messages" })),
  chat("invalid", "mix", documented, (page) => main(page).getByRole("link", { name: "Open another" })),
  file("audio", FILES.mix),
  file("draft", FILES.draft),
  file("video", FILES.video),
  file("image", FILES.image),
  file("document", FILES.document),
  file("shared", FILES.shared),
  file("two-values", ODD_FILES.shortWave, odd),
  file("500000-values", ODD_FILES.hugeWave, odd),
  file("bare", ODD_FILES.bare, odd),
  file("unknown-kind", ODD_FILES.unknownKind, odd),
  file("folder", ODD_FILES.folder, odd),
  file("beyond-1", ODD_FILES.beyondRange, odd),
  file("missing", 999, documented, retryButton),
  file("not-allowed", FILES.mix, failing(403), retryButton),
  file("token", FILES.mix, failing(401), newToken),
  webhooks("empty", (page) => page.getByText("No endpoints created on this device"), {}),
  webhooks("new", endpointForm, { act: fillEndpoint("https://tools.example/talkback") }),
  webhooks("field-errors", (page) => endpointForm(page).locator("[aria-invalid=true]").first(), {
    async act(page) {
      await fillEndpoint("http://me@tools.example")(page);
      await endpointForm(page).getByRole("checkbox", { name: "file.status_changed" }).uncheck();
      await submitEndpoint(page);
    },
  }),
  webhooks("refused", (page) => endpointForm(page).getByRole("alert"), { before: refusing(400), act: createEndpoint("https://tools.example/talkback") }),
  webhooks("timeout", (page) => endpointForm(page).getByRole("alert"), {
    before: refusing("hang"),
    async act(page) {
      await page.clock.install();
      await createEndpoint("https://tools.example/talkback")(page);
      await page.clock.runFor(60_000);
    },
  }),
  webhooks("created", (page) => dialog(page, "Endpoint created"), { act: createEndpoint("https://tools.example/talkback") }),
  webhooks("created-secret", (page) => page.getByRole("textbox", { name: "Signing secret" }), {
    before: respondWithSecret,
    act: createEndpoint("https://tools.example/talkback"),
  }),
  webhooks("several", (page) => main(page).getByText('"state": "listening"').first(), { act: createSeveral }),
  webhooks("forget", (page) => dialog(page, "Forget this endpoint?"), {
    async act(page) {
      await createSeveral(page);
      await page
        .getByRole("button", { name: /^Forget / })
        .first()
        .click();
    },
  }),
  webhooks("token", (page) => dialog(page, "Enter another token"), { before: refusing(401), act: createEndpoint("https://tools.example/talkback") }),
];
